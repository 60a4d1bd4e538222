//! Lists of methods that can be asked by name.

use super::choices::Choices;
use super::error::MethodError;
use super::families;
use super::info::MethodInfo;
use crate::integrator::AnyMethod;
use crate::messages::nearest;

/// Methods for the problem `P` by name.
pub type Methods<P> = Registry<AnyMethod<P>>;

/// Methods of the type `T` by name, one family after the other.
pub struct Registry<T> {
    families: Vec<Family<T>>,
}

/// Makes one of the methods of a family.
type Make<T> = Box<dyn Fn(&Choices<'_>) -> Result<T, MethodError> + Send + Sync>;

struct Family<T> {
    infos: Vec<MethodInfo>,
    make: Make<T>,
}

impl<T> Registry<T> {
    /// No methods.
    pub fn empty() -> Self {
        Registry { families: Vec::new() }
    }

    /// These methods besides; `make` is asked for one of them by [`Choices::method`]. Where names are the same, the later
    /// method is found.
    #[must_use]
    pub fn and(
        mut self,
        infos: impl IntoIterator<Item = MethodInfo>,
        make: impl Fn(&Choices<'_>) -> Result<T, MethodError> + Send + Sync + 'static,
    ) -> Self {
        self.families.push(Family { infos: infos.into_iter().collect(), make: Box::new(make) });
        self
    }

    /// What there is.
    pub fn infos(&self) -> impl Iterator<Item = &MethodInfo> {
        self.families.iter().flat_map(|family| &family.infos)
    }

    fn entry(&self, id: &str) -> Result<(&Family<T>, &MethodInfo), MethodError> {
        let mut families = self.families.iter().rev();
        let found =
            families.find_map(|family| family.infos.iter().find(|info| info.id == id).map(|info| (family, info)));
        found.ok_or_else(|| {
            let known: Vec<&'static str> = self.infos().map(|info| info.id).collect();
            if let Some(info) = families::methods().into_iter().find(|info| info.id == id) {
                return MethodError::OfOtherProblems { method: info.id, family: info.family, known };
            }
            MethodError::Unknown { id: id.to_owned(), nearest: nearest(id, &known).copied(), known }
        })
    }

    /// What is known of the method with this name.
    ///
    /// # Errors
    /// [`MethodError::Unknown`], [`MethodError::OfOtherProblems`].
    pub fn info(&self, id: &str) -> Result<&MethodInfo, MethodError> {
        self.entry(id).map(|(_, info)| info)
    }

    /// The method with this name and these options: names and values.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such method or option, or a value cannot be used.
    pub fn find(&self, id: &str, options: &[(&str, &str)]) -> Result<T, MethodError> {
        let (family, info) = self.entry(id)?;
        (family.make)(&Choices::new(info, options)?)
    }
}

//! Values whose type only one system knows.

use core::any::Any;
use core::fmt;

/// A configuration, a matrix or a factorisation of a system whose type is unknown.
pub struct ErasedValue(Box<dyn ValueObject>);

/// A value of any type that can be copied.
trait ValueObject: Any {
    fn boxed_clone(&self) -> Box<dyn ValueObject>;
    /// Copies a value of the same type; the allocations are kept.
    fn copy_from(&mut self, other: &dyn Any);
}

impl<T: Clone + 'static> ValueObject for T {
    fn boxed_clone(&self) -> Box<dyn ValueObject> {
        Box::new(self.clone())
    }
    fn copy_from(&mut self, other: &dyn Any) {
        self.clone_from(same_system(other.downcast_ref::<T>()));
    }
}

/// Returns a value that has the type of this system.
pub(super) fn same_system<T>(value: Option<T>) -> T {
    value.expect("a value of the same system")
}

impl ErasedValue {
    /// Hides the type of a value.
    pub fn of<T: Clone + 'static>(value: T) -> Self {
        ErasedValue(Box::new(value))
    }

    /// Returns the value.
    ///
    /// # Panics
    /// If the value has another type.
    #[inline]
    pub fn get<T: 'static>(&self) -> &T {
        let value: &dyn Any = &*self.0;
        same_system(value.downcast_ref())
    }

    /// Returns the value, mutably.
    ///
    /// # Panics
    /// If the value has another type.
    #[inline]
    pub fn get_mut<T: 'static>(&mut self) -> &mut T {
        let value: &mut dyn Any = &mut *self.0;
        same_system(value.downcast_mut())
    }
}

impl Clone for ErasedValue {
    fn clone(&self) -> Self {
        ErasedValue(self.0.boxed_clone())
    }
    fn clone_from(&mut self, source: &Self) {
        self.0.copy_from(&*source.0);
    }
}

impl fmt::Debug for ErasedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedValue")
    }
}

//! Setters of structs of options.

/// Implements a setter for each listed field. Structs of options are `#[non_exhaustive]`, so that new options do not break programs:
/// programs write `Limits::default().steps(100)`.
macro_rules! setters {
    ($options:ident { $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+ }) => {
        impl $options {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )+
        }
    };
}
pub(crate) use setters;

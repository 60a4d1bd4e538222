//! One list of signatures for virtual functions, their implementation by a type, and their use by a type without it.

/// The type of an argument of a virtual function.
macro_rules! erased_type {
    (($type:ty)) => { $type };
    (value) => { &ErasedValue };
    (value_mut) => { &mut ErasedValue };
    (vector) => { &ErasedVector };
    (vector_mut) => { &mut ErasedVector };
    (rows) => { &ErasedVector };
    (rows_mut) => { &mut ErasedVector };
    (vector_option) => { Option<&mut ErasedVector> };
    (rows_option) => { Option<&mut ErasedVector> };
    (velocity_and_step) => { (&ErasedVector, f64) };
}

/// The argument as a system with a type has it.
macro_rules! typed {
    ($system:expr, $types:ident, ($type:ty), $argument:ident) => {
        $argument
    };
    ($system:expr, $types:ident, value, $argument:ident) => {
        $argument.get()
    };
    ($system:expr, $types:ident, value_mut, $argument:ident) => {
        $argument.get_mut()
    };
    ($system:expr, $types:ident, vector, $argument:ident) => {
        &*InputVector::<$types::Velocity>::of($argument, || $system.zero_velocity())
    };
    ($system:expr, $types:ident, vector_mut, $argument:ident) => {
        &mut *OutputVector::<$types::Velocity>::of($argument, || $system.zero_velocity())
    };
    ($system:expr, $types:ident, rows, $argument:ident) => {
        &*InputVector::<$types::Multipliers>::of($argument, || $system.zero_multipliers())
    };
    ($system:expr, $types:ident, rows_mut, $argument:ident) => {
        &mut *OutputVector::<$types::Multipliers>::of($argument, || $system.zero_multipliers())
    };
    ($system:expr, $types:ident, vector_option, $argument:ident) => {
        (&mut $argument.map(|vector| OutputVector::<$types::Velocity>::of(vector, || $system.zero_velocity())))
            .as_deref_mut()
    };
    ($system:expr, $types:ident, rows_option, $argument:ident) => {
        (&mut $argument.map(|rows| OutputVector::<$types::Multipliers>::of(rows, || $system.zero_multipliers())))
            .as_deref_mut()
    };
    ($system:expr, $types:ident, velocity_and_step, $argument:ident) => {
        (&*InputVector::<$types::Velocity>::of($argument.0, || $system.zero_velocity()), $argument.1)
    };
}

/// Defines, from one list of signatures, a trait of virtual functions, its implementation by `$typed`, and the trait of
/// `$erased` that calls them. The functions in `own` are written by hand. An argument is of a kind that is converted, or of a type
/// in parentheses.
macro_rules! by_object {
    (
        $(#[$documentation:meta])*
        trait $object:ident $(: $super:ident)?;
        impl<$types:ident: $bound:path> for $typed:ident;
        impl $interface:ident for $erased:ident { $($own:tt)* }
        $(fn $name:ident($($argument:ident: $kind:tt),*) $(-> $output:ty)?;)*
    ) => {
        $(#[$documentation])*
        #[allow(clippy::too_many_arguments)] // As the methods of the other trait.
        pub(super) trait $object $(: $super)? {
            $(fn $name(&self, $($argument: erased_type!($kind)),*) $(-> $output)?;)*
        }

        impl<$types: $bound> $object for $typed<$types> {
            $(fn $name(&self, $($argument: erased_type!($kind)),*) $(-> $output)? {
                <$types as $interface>::$name(&self.0, $(typed!(self.0, $types, $kind, $argument)),*)
            })*
        }

        impl $interface for $erased {
            $($own)*
            $(
                #[inline]
                fn $name(&self, $($argument: erased_type!($kind)),*) $(-> $output)? {
                    self.object.$name($($argument),*)
                }
            )*
        }
    };
}

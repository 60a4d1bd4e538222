//! Systems abreast: several of one declaration as one, on numbers that are several side by side.

use nalgebra::SMatrix;

use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::Lanes;
use crate::space::S2;
use crate::system::MechanicalSystem;

/// A system that several of may be computed with at a time, one in a lane: every declared one of unrolled kernels without
/// inputs, `opaque` functions and lists.
///
/// Each lane has parameters and a state of its own; what a kernel computes in it is, bit for bit, what it computes for that
/// system alone. What is decided once for all of them is told where it is: an error in one lane is an error of the step, Newton's
/// iteration goes on until all lanes are at rest, each where it was when it came there, matrices are made anew where one lane needs
/// it, and steps whose size follows from their error are as large as the worst lane allows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be computed with several at a time",
    note = "systems with chains, frames, inputs, `opaque` functions and lists of parameters are run one by one"
)]
pub trait Abreast<L: Lanes>: MechanicalSystem<Scalar = f64> {
    /// The system on lanes.
    type Together: MechanicalSystem<Scalar = L>;

    /// As many systems as there are lanes; `None` if they differ in what is no real number: a flag, a count.
    fn together(systems: &[&Self]) -> Option<Self::Together>;
    /// As many configurations.
    fn configurations_together(
        configuration: &dyn Fn(usize) -> Self::Configuration,
    ) -> <Self::Together as MechanicalSystem>::Configuration;
    /// The configuration in a lane.
    fn configuration_of_lane(
        together: &<Self::Together as MechanicalSystem>::Configuration,
        lane: usize,
    ) -> Self::Configuration;
}

/// Values that are made of numbers, several of them as one on lanes.
pub trait OnLanes<L: Lanes>: Copy {
    /// The type on lanes.
    type Together;
    /// The values that a function gives for each lane.
    fn together(value: &dyn Fn(usize) -> Self) -> Self::Together;
    /// The value in a lane.
    fn of_lane(together: &Self::Together, lane: usize) -> Self;
}

impl<L: Lanes> OnLanes<L> for f64 {
    type Together = L;
    #[inline]
    fn together(value: &dyn Fn(usize) -> f64) -> L {
        L::of_lanes(value)
    }
    #[inline]
    fn of_lane(together: &L, lane: usize) -> f64 {
        together.lane(lane)
    }
}

impl<L: Lanes, const R: usize, const C: usize> OnLanes<L> for SMatrix<f64, R, C> {
    type Together = SMatrix<L, R, C>;
    #[inline]
    fn together(value: &dyn Fn(usize) -> Self) -> Self::Together {
        SMatrix::from_fn(|row, column| L::of_lanes(|lane| value(lane)[(row, column)]))
    }
    #[inline]
    fn of_lane(together: &Self::Together, lane: usize) -> Self {
        together.map(|entry| entry.lane(lane))
    }
}

impl<L: Lanes, T: OnLanes<L>, const N: usize> OnLanes<L> for [T; N] {
    type Together = [T::Together; N];
    #[inline]
    fn together(value: &dyn Fn(usize) -> Self) -> Self::Together {
        core::array::from_fn(|at| T::together(&|lane| value(lane)[at]))
    }
    #[inline]
    fn of_lane(together: &Self::Together, lane: usize) -> Self {
        core::array::from_fn(|at| T::of_lane(&together[at], lane))
    }
}

/// Elements that are made of numbers have these on lanes.
macro_rules! element {
    ($($group:ident: $make:ident($numbers:ident);)*) => {
        $(
            impl<L: Lanes> OnLanes<L> for $group<f64> {
                type Together = $group<L>;
                #[inline]
                fn together(value: &dyn Fn(usize) -> Self) -> Self::Together {
                    $group::$make(OnLanes::<L>::together(&|lane| value(lane).$numbers().to_owned()))
                }
                #[inline]
                fn of_lane(together: &Self::Together, lane: usize) -> Self {
                    $group::$make(OnLanes::<L>::of_lane(&together.$numbers().to_owned(), lane))
                }
            }
        )*
    };
}

element! {
    SO2: from_coordinates_unchecked(coordinates);
    SO3: from_matrix_unchecked(matrix);
    S3: from_coordinates_unchecked(coordinates);
    S2: new_unchecked(direction);
}

/// Poses have their parts on lanes.
macro_rules! pose {
    ($($group:ident)*) => {
        $(
            impl<L: Lanes> OnLanes<L> for group::$group<f64> {
                type Together = group::$group<L>;
                #[inline]
                fn together(value: &dyn Fn(usize) -> Self) -> Self::Together {
                    group::$group::new(
                        OnLanes::<L>::together(&|lane| value(lane).rotation()),
                        OnLanes::<L>::together(&|lane| value(lane).position()),
                    )
                }
                #[inline]
                fn of_lane(together: &Self::Together, lane: usize) -> Self {
                    group::$group::new(
                        OnLanes::<L>::of_lane(&together.rotation(), lane),
                        OnLanes::<L>::of_lane(&together.position(), lane),
                    )
                }
            }
        )*
    };
}

placements!(pose);

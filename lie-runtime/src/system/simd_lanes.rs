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
pub trait Batched<L: Lanes>: MechanicalSystem<Scalar = f64> {
    /// The system on lanes.
    type Batch: MechanicalSystem<Scalar = L>;

    /// As many systems as there are lanes; `None` if they differ in what is no real number: a flag, a count.
    fn batch(systems: &[&Self]) -> Option<Self::Batch>;
    /// As many configurations.
    fn batch_configurations(
        configuration: &dyn Fn(usize) -> Self::Configuration,
    ) -> <Self::Batch as MechanicalSystem>::Configuration;
    /// The configuration in a lane.
    fn lane_configuration(
        together: &<Self::Batch as MechanicalSystem>::Configuration,
        lane: usize,
    ) -> Self::Configuration;
}

/// Values that are made of numbers, several of them as one on lanes.
pub trait LaneValue<L: Lanes>: Copy {
    /// The type on lanes.
    type Batch;
    /// The values that a function gives for each lane.
    fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch;
    /// The value in a lane.
    fn of_lane(together: &Self::Batch, lane: usize) -> Self;
}

impl<L: Lanes> LaneValue<L> for f64 {
    type Batch = L;
    #[inline]
    fn batch(value: &dyn Fn(usize) -> f64) -> L {
        L::of_lanes(value)
    }
    #[inline]
    fn of_lane(together: &L, lane: usize) -> f64 {
        together.lane(lane)
    }
}

impl<L: Lanes, const R: usize, const C: usize> LaneValue<L> for SMatrix<f64, R, C> {
    type Batch = SMatrix<L, R, C>;
    #[inline]
    fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch {
        SMatrix::from_fn(|row, column| L::of_lanes(|lane| value(lane)[(row, column)]))
    }
    #[inline]
    fn of_lane(together: &Self::Batch, lane: usize) -> Self {
        together.map(|entry| entry.lane(lane))
    }
}

impl<L: Lanes, T: LaneValue<L>, const N: usize> LaneValue<L> for [T; N] {
    type Batch = [T::Batch; N];
    #[inline]
    fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch {
        core::array::from_fn(|at| T::batch(&|lane| value(lane)[at]))
    }
    #[inline]
    fn of_lane(together: &Self::Batch, lane: usize) -> Self {
        core::array::from_fn(|at| T::of_lane(&together[at], lane))
    }
}

/// Elements that are made of numbers have these on lanes.
macro_rules! element {
    ($($group:ident: $make:ident($numbers:ident);)*) => {
        $(
            impl<L: Lanes> LaneValue<L> for $group<f64> {
                type Batch = $group<L>;
                #[inline]
                fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch {
                    $group::$make(LaneValue::<L>::batch(&|lane| value(lane).$numbers().to_owned()))
                }
                #[inline]
                fn of_lane(together: &Self::Batch, lane: usize) -> Self {
                    $group::$make(LaneValue::<L>::of_lane(&together.$numbers().to_owned(), lane))
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
            impl<L: Lanes> LaneValue<L> for group::$group<f64> {
                type Batch = group::$group<L>;
                #[inline]
                fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch {
                    group::$group::new(
                        LaneValue::<L>::batch(&|lane| value(lane).rotation()),
                        LaneValue::<L>::batch(&|lane| value(lane).position()),
                    )
                }
                #[inline]
                fn of_lane(together: &Self::Batch, lane: usize) -> Self {
                    group::$group::new(
                        LaneValue::<L>::of_lane(&together.rotation(), lane),
                        LaneValue::<L>::of_lane(&together.position(), lane),
                    )
                }
            }
        )*
    };
}

placements!(pose);

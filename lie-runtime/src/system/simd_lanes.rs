//! SIMD batches: several systems of one declaration as one system whose scalar has several lanes.

use nalgebra::SMatrix;

use crate::group::{self, Placement, S3, SO2, SO3, placements};
use crate::scalar::Lanes;
use crate::space::S2;
use crate::system::MechanicalSystem;

/// A system of which a batch can be computed at once, one system a lane. All declared systems of fixed size without
/// inputs, `opaque` functions and list parameters implement it.
///
/// Each lane has its own parameters and state. A kernel computes the same bits in a lane as for the single system.
/// Decisions are common to all lanes: an error in one lane is an error of the step, Newton's iteration ends when all
/// lanes have converged (a converged lane does not change), matrices are refactorised when one lane needs it, and the
/// error control uses the largest error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be batched in SIMD lanes",
    note = "systems with chains, frames, inputs, `opaque` functions and list parameters run one by one"
)]
#[doc(alias = "SIMD")]
#[doc(alias = "vmap")]
#[doc(alias = "batch")]
#[doc(hidden)]
pub trait Batched<L: Lanes>: MechanicalSystem<Scalar = f64> {
    /// The system on lanes.
    type Batch: MechanicalSystem<Scalar = L>;

    /// Creates a batch of as many systems as there are lanes; `None` if they differ in a value that is not a real
    /// number, such as a flag or an integer.
    #[doc(hidden)]
    fn batch(systems: &[&Self]) -> Option<Self::Batch>;
    /// Creates a batch of as many configurations.
    #[doc(hidden)]
    fn batch_configurations(
        configuration: &dyn Fn(usize) -> Self::Configuration,
    ) -> <Self::Batch as MechanicalSystem>::Configuration;
    /// Returns the configuration of one lane.
    #[doc(hidden)]
    fn lane_configuration(
        together: &<Self::Batch as MechanicalSystem>::Configuration,
        lane: usize,
    ) -> Self::Configuration;
}

/// Values that consist of real numbers, with a counterpart on lanes.
#[doc(hidden)]
pub trait LaneValue<L: Lanes>: Copy {
    /// The type on lanes.
    type Batch;
    /// Creates a batch of the values that the function returns for each lane.
    fn batch(value: &dyn Fn(usize) -> Self) -> Self::Batch;
    /// Returns the value of one lane.
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

/// Implements lanes of group elements by their components.
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

/// Implements lanes of poses by their parts.
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

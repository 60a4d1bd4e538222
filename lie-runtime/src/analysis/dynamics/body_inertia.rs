//! Inertia of rigid bodies, the centre of mass and the total momentum of several bodies.
//!
//! Source: P. M. Wensing, S. Kim, J.-J. E. Slotine, Linear matrix inequalities for physically consistent inertial parameter identification,
//! IEEE Robotics and Automation Letters 3 (2018) 60-67, for the conditions on the second moments of the mass.

use nalgebra::{Matrix3, Matrix6, SMatrix, SVector, Vector3, Vector6};

use crate::components::log_cholesky::{log_cholesky_center_of_mass, log_cholesky_inertia, log_cholesky_mass};
use crate::group::{LieGroup, SE3};
use crate::messages::see;
use crate::scalar::Scalar;

/// The relative size of a violation that is round-off.
const ROUND_OFF: f64 = 1e-9;

/// The inertia of a rigid body that can exist: its mass is positive, and its principal moments satisfy the triangle inequality.
///
/// A body on a line and a point mass are included. All vectors and matrices have components in a frame of the body.
///
/// ```
/// use lie_runtime::analysis::BodyInertia;
/// use lie_runtime::components::solid_inertia::box_inertia;
/// use lie_runtime::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let edges = Vector3::new(0.3, 0.2, 0.1);
/// let body = BodyInertia::new(2.0, Vector3::new(0.15, 0.0, 0.0), box_inertia(2.0, &edges))?;
///
/// // Ten numbers without bounds that give the same body.
/// let unconstrained = body.log_cholesky()?;
/// let again = BodyInertia::of_log_cholesky(&unconstrained)?;
/// assert!((again.parameters() - body.parameters()).norm() < 1e-14);
///
/// // No body has these moments of inertia.
/// let impossible = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.5));
/// assert!(BodyInertia::new(2.0, Vector3::zeros(), impossible).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("spatial inertia", "rigid body inertia", "pseudo-inertia", "inertia tensor"))]
pub struct BodyInertia {
    mass: f64,
    center_of_mass: Vector3<f64>,
    inertia: Matrix3<f64>,
}

/// The reason why values are not the inertia of a rigid body.
#[derive(Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InertiaError {
    /// The mass is not positive and finite.
    #[error("the mass is {mass:?}; it must be positive and finite {}", see("inertia-of-a-body"))]
    Mass {
        /// The mass.
        mass: f64,
    },
    /// A component of the centre of mass is not finite.
    #[error(
        "the centre of mass is ({:?}, {:?}, {:?}); pass finite components {}",
        .center[0], .center[1], .center[2], see("inertia-of-a-body")
    )]
    CenterOfMass {
        /// The components of the centre of mass.
        center: [f64; 3],
    },
    /// The matrix is not symmetric, or an entry is not finite.
    #[error(
        "the entry ({row}, {column}) of the inertia is not finite, or the inertia is not symmetric {}",
        see("inertia-of-a-body")
    )]
    NotSymmetric {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// The largest principal moment of inertia exceeds the sum of the others, or a moment is negative.
    #[error(
        "the principal moments of inertia about the centre of mass are {:?}, {:?} and {:?}; none may be negative or exceed the sum of the \
         others {}",
        .moments[0], .moments[1], .moments[2], see("inertia-of-a-body")
    )]
    Triangle {
        /// The principal moments, in increasing order.
        moments: [f64; 3],
    },
    /// The mass of the body is on a plane, on a line or in a point: it has no log-Cholesky parameters.
    #[error(
        "the mass of the body is on a plane, so that its log-Cholesky parameters are infinite; add a small second moment {}",
        see("inertia-of-a-body")
    )]
    Flat,
    /// A matrix of a kinetic energy is not the matrix of a rigid body.
    #[error(
        "the entry ({row}, {column}) of the matrix of the kinetic energy is not the entry of a rigid body {}",
        see("inertia-of-a-body")
    )]
    NotRigid {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// The numbers of frames and of inertias differ.
    #[error(
        "there are {frames} frames and {inertias} inertias; pass one inertia for each frame {}",
        see("inertia-of-a-body")
    )]
    Lengths {
        /// The number of frames.
        frames: usize,
        /// The number of inertias.
        inertias: usize,
    },
}

crate::messages::debug_is_the_message!(InertiaError);

/// Returns the second moments of the mass from moments of inertia: ½ tr(I) 1 − I. The map in the other direction is tr(Σ) 1 − Σ.
fn second_moments(inertia: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * (0.5 * inertia.trace()) - inertia
}

/// Returns m (|c|² 1 − c cᵀ), the inertia of a point mass about the origin.
fn of_point(mass: f64, position: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * position.norm_squared() - position * position.transpose()) * mass
}

impl BodyInertia {
    /// Creates the inertia of a body from its mass, its centre of mass, and its inertia about the centre of mass.
    ///
    /// # Errors
    /// [`InertiaError`] if no body has these values.
    pub fn new(mass: f64, center_of_mass: Vector3<f64>, inertia: Matrix3<f64>) -> Result<Self, InertiaError> {
        BodyInertia::checked(mass, center_of_mass, inertia, inertia.amax())
    }

    /// Creates the inertia from moments about the origin of the frame.
    ///
    /// The difference to the moments about the centre of mass has the round-off of the moments about the origin.
    fn about_origin(mass: f64, center_of_mass: Vector3<f64>, moments: Matrix3<f64>) -> Result<Self, InertiaError> {
        BodyInertia::checked(mass, center_of_mass, moments - of_point(mass, &center_of_mass), moments.amax())
    }

    /// Creates the inertia of a body from values whose moments of inertia have the round-off of a value with the magnitude `size`.
    fn checked(
        mass: f64,
        center_of_mass: Vector3<f64>,
        inertia: Matrix3<f64>,
        size: f64,
    ) -> Result<Self, InertiaError> {
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(InertiaError::Mass { mass });
        }
        if !center_of_mass.iter().copied().all(f64::is_finite) {
            return Err(InertiaError::CenterOfMass { center: center_of_mass.into() });
        }
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let difference = (inertia[(row, column)] - inertia[(column, row)]).abs();
            let is_equal = difference <= ROUND_OFF * size;
            if !is_equal {
                return Err(InertiaError::NotSymmetric { row, column });
            }
        }
        let inertia = (inertia + inertia.transpose()) * 0.5;
        let smallest = second_moments(&inertia).symmetric_eigenvalues().min();
        if smallest < -ROUND_OFF * size {
            let mut moments: [f64; 3] = inertia.symmetric_eigenvalues().into();
            moments.sort_by(f64::total_cmp);
            return Err(InertiaError::Triangle { moments });
        }
        Ok(BodyInertia { mass, center_of_mass, inertia })
    }

    /// Returns the mass.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Returns the position of the centre of mass.
    pub fn center_of_mass(&self) -> Vector3<f64> {
        self.center_of_mass
    }

    /// Returns the inertia about the centre of mass.
    pub fn inertia(&self) -> Matrix3<f64> {
        self.inertia
    }

    /// Creates the inertia of the body with these [log-Cholesky parameters](crate::components::log_cholesky).
    ///
    /// # Errors
    /// [`InertiaError`] for parameters that are not finite, or so large that the inertia is not finite.
    pub fn of_log_cholesky(p: &SVector<f64, 10>) -> Result<Self, InertiaError> {
        BodyInertia::new(log_cholesky_mass(p), log_cholesky_center_of_mass(p), log_cholesky_inertia(p))
    }

    /// Returns the [log-Cholesky parameters](crate::components::log_cholesky): ten numbers without bounds.
    ///
    /// # Errors
    /// [`InertiaError::Flat`] if the mass is on a plane.
    pub fn log_cholesky(&self) -> Result<SVector<f64, 10>, InertiaError> {
        // Σ / m = S Sᵀ with an upper triangular S, from the last row.
        let d = second_moments(&self.inertia) / self.mass;
        let third = d.m33.sqrt();
        let (s23, s13) = (d.m23 / third, d.m13 / third);
        let second = (d.m22 - s23 * s23).sqrt();
        let s12 = (d.m12 - s13 * s23) / second;
        let first = (d.m11 - s12 * s12 - s13 * s13).sqrt();
        let t = self.center_of_mass;
        let all = [first, second, third].map(f64::ln);
        let p = [0.5 * self.mass.ln(), all[0], all[1], all[2], s12, s23, s13, t.x, t.y, t.z];
        if p.iter().copied().all(f64::is_finite) { Ok(p.into()) } else { Err(InertiaError::Flat) }
    }

    /// Creates the inertia from its [ten parameters](Self::parameters).
    ///
    /// # Errors
    /// [`InertiaError`] if no body has these values.
    #[doc(alias = "FromDynamicParameters")]
    pub fn of_parameters(parameters: &SVector<f64, 10>) -> Result<Self, InertiaError> {
        let [mass, x, y, z, xx, xy, yy, xz, yz, zz] = (*parameters).into();
        let center = Vector3::new(x, y, z) / mass;
        let about_origin = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        BodyInertia::about_origin(mass, center, about_origin)
    }

    /// Returns the ten parameters in which inverse dynamics is linear: mass, three first moments (mass times centre of mass), and the moments of
    /// inertia xx, xy, yy, xz, yz, zz about the origin.
    #[doc(alias = "toDynamicParameters")]
    pub fn parameters(&self) -> SVector<f64, 10> {
        let (h, i) = (self.center_of_mass * self.mass, self.inertia + of_point(self.mass, &self.center_of_mass));
        [self.mass, h.x, h.y, h.z, i.m11, i.m12, i.m22, i.m13, i.m23, i.m33].into()
    }

    /// Returns the matrix of the kinetic energy ½ uᵀ M u for the left-trivialised twist u of the frame, angular part first.
    pub fn matrix(&self) -> Matrix6<f64> {
        let (mass, moments) = (self.mass, self.center_of_mass.cross_matrix() * self.mass);
        let mut matrix = Matrix6::zeros();
        let about_origin = self.inertia + of_point(mass, &self.center_of_mass);
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&about_origin);
        matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&moments);
        matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(&moments.transpose());
        matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&Matrix3::from_diagonal_element(mass));
        matrix
    }

    /// Creates the inertia from the [matrix](Self::matrix) of its kinetic energy.
    ///
    /// # Errors
    /// [`InertiaError`] if no rigid body has this matrix.
    pub fn of_matrix(matrix: &Matrix6<f64>) -> Result<Self, InertiaError> {
        let mass = (matrix[(3, 3)] + matrix[(4, 4)] + matrix[(5, 5)]) / 3.0;
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(InertiaError::Mass { mass });
        }
        let moments: Matrix3<f64> = matrix.fixed_view::<3, 3>(0, 3).into();
        let center = Vector3::new(moments.m32 - moments.m23, moments.m13 - moments.m31, moments.m21 - moments.m12);
        let center = center / (2.0 * mass);
        let about_origin: Matrix3<f64> = matrix.fixed_view::<3, 3>(0, 0).into();
        let found = BodyInertia::about_origin(mass, center, about_origin)?;
        let own = found.matrix();
        let size = |at: usize| own[(at, at)].abs().max(matrix[(at, at)].abs());
        for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
            let difference = (own[(row, column)] - matrix[(row, column)]).abs();
            let is_equal = difference <= ROUND_OFF * (size(row) * size(column)).sqrt();
            if !is_equal {
                return Err(InertiaError::NotRigid { row, column });
            }
        }
        Ok(found)
    }

    /// Returns the inertia of several bodies together, with components in the frame in which their frames are given. The centre of mass of a
    /// mechanism is the centre of mass of this inertia.
    ///
    /// Each matrix is the [matrix](Self::matrix) of a kinetic energy. A declaration with `#[kinematics] fn link` has both lists as
    /// `system.link_frames(t, &q)` and `system.link_inertias(t, &q)`. Frames without inertia have zeros.
    ///
    /// # Errors
    /// [`InertiaError`] for lists of different lengths, and for matrices that are not the matrices of rigid bodies.
    pub fn total(frames: &[SE3], inertias: &[Matrix6<f64>]) -> Result<Self, InertiaError> {
        if frames.len() != inertias.len() {
            return Err(InertiaError::Lengths { frames: frames.len(), inertias: inertias.len() });
        }
        let mut sum = Matrix6::zeros();
        for (frame, matrix) in frames.iter().zip(inertias).filter(|(_, matrix)| matrix.amax() != 0.0) {
            BodyInertia::of_matrix(matrix)?;
            let back = frame.inverse();
            for column in 0..6 {
                let unit = Vector6::from_fn(|row, _| f64::from(u8::from(row == column)));
                let mut target = sum.column_mut(column);
                target += back.adjoint_transpose(&(matrix * back.adjoint(&unit)));
            }
        }
        BodyInertia::of_matrix(&sum)
    }
}

/// Returns the total momentum of several bodies in the frame in which their frames are given: the angular momentum about its origin, and the
/// linear momentum.
///
/// The lists are frames, matrices of kinetic energies, and left-trivialised twists of the frames. Lists of different lengths give NaN. The
/// momentum is linear in the twists, so that its matrix is its [Jacobian](crate::analysis::StateDynamics::jacobian):
///
/// ```
/// use lie_runtime::analysis::{BodyInertia, StateDynamics, total_momentum};
/// use lie_runtime::prelude::*;
///
/// /// Links on spherical joints.
/// #[mechanical_system]
/// mod links {
///     #[configuration]
///     pub struct Chain { pub joints: Vec<SO3> }
///     #[kinematics(over = joints)]
///     fn link(above: &SE3, joint: &SO3) -> SE3 { *above * SE3::new(*joint, *joint * Vector3::new(0.0, 0.0, -0.4)) }
///     #[kinetic_energy(over = link)]
///     fn kinetic(u: &Vector6<f64>) -> f64 { 0.5 * u.linear().norm_squared() + 0.1 * u.angular().norm_squared() }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = links::System::new(links::Lengths { joints: 2 })?;
/// let q = links::Chain { joints: vec![SO3::about_x(0.3), SO3::about_y(0.5)] };
/// let body = BodyInertia::total(&system.link_frames(0.0, &q), &system.link_inertias(0.0, &q))?;
/// println!("mass {} centre of mass {}", body.mass(), body.center_of_mass());
///
/// // The matrix A of the total momentum A v.
/// let matrix = StateDynamics::of(&system).jacobian(0.0, &q, |system, t, q, v| {
///     total_momentum(&system.link_frames(t, q), &system.link_inertias(t, q), &system.link_velocities(t, q, v))
/// })?;
/// assert_eq!(matrix.shape(), (6, 6));
/// # Ok(())
/// # }
/// ```
#[doc(alias("angular momentum", "linear momentum", "centroidal momentum matrix"))]
pub fn total_momentum<S: Scalar>(
    frames: &[SE3<S>],
    inertias: &[SMatrix<S, 6, 6>],
    twists: &[SVector<S, 6>],
) -> SVector<S, 6> {
    if frames.len() != inertias.len() || frames.len() != twists.len() {
        return SVector::repeat(S::from_f64(f64::NAN));
    }
    let mut sum = SVector::zeros();
    for ((frame, inertia), twist) in frames.iter().zip(inertias).zip(twists) {
        sum += frame.inverse().adjoint_transpose(&(inertia * twist));
    }
    sum
}

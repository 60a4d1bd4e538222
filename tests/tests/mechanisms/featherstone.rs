//! Featherstone's recursions, small and dense, in 6 × 6 matrices and nothing of the library's: the independent path for
//! trees of bodies (R. Featherstone, Rigid Body Dynamics Algorithms, 2008, tables 5.1 and 6.1).
//!
//! Twists are body-fixed, with the angular part first.

use lie_runtime::nalgebra::{DMatrix, DVector, Matrix3, Matrix6, Rotation3, Vector3, Vector6};

/// How a body moves against its parent.
pub enum Joint {
    /// By an angle about a unit axis.
    Hinge(Vector3<f64>, f64),
    /// By a length along a unit axis.
    Slide(Vector3<f64>, f64),
    /// By a rotation, with its angular velocity.
    Ball(Matrix3<f64>),
    /// By anything: rotation and position, with the twist of the body as its velocity.
    Free(Matrix3<f64>, Vector3<f64>),
}

/// One body.
pub struct Body {
    /// Before it in the list.
    pub parent: Option<usize>,
    /// The frame of the joint relative to the parent frame.
    pub place: (Matrix3<f64>, Vector3<f64>),
    pub joint: Joint,
    pub mass: f64,
    pub center: Vector3<f64>,
    /// About the centre.
    pub inertia: Matrix3<f64>,
}

fn hat(v: &Vector3<f64>) -> Matrix3<f64> {
    v.cross_matrix()
}

fn blocks(a: Matrix3<f64>, b: Matrix3<f64>, c: Matrix3<f64>, d: Matrix3<f64>) -> Matrix6<f64> {
    let mut all = Matrix6::zeros();
    all.fixed_view_mut::<3, 3>(0, 0).copy_from(&a);
    all.fixed_view_mut::<3, 3>(0, 3).copy_from(&b);
    all.fixed_view_mut::<3, 3>(3, 0).copy_from(&c);
    all.fixed_view_mut::<3, 3>(3, 3).copy_from(&d);
    all
}

/// ad of a twist.
fn bracket(v: &Vector6<f64>) -> Matrix6<f64> {
    let (angular, linear) = (v.fixed_rows::<3>(0).into_owned(), v.fixed_rows::<3>(3).into_owned());
    blocks(hat(&angular), Matrix3::zeros(), hat(&linear), hat(&angular))
}

impl Body {
    /// Rotation and position in the parent's frame.
    fn pose(&self) -> (Matrix3<f64>, Vector3<f64>) {
        let (rotation, position) = &self.place;
        let (turn, way) = match &self.joint {
            Joint::Hinge(axis, angle) => (*Rotation3::new(axis * *angle).matrix(), Vector3::zeros()),
            Joint::Slide(axis, length) => (Matrix3::identity(), axis * *length),
            Joint::Ball(turn) => (*turn, Vector3::zeros()),
            Joint::Free(turn, way) => (*turn, *way),
        };
        (rotation * turn, position + rotation * way)
    }

    /// Twists of the parent in body-fixed components.
    fn transform(&self) -> Matrix6<f64> {
        let (rotation, position) = self.pose();
        let back = rotation.transpose();
        blocks(back, Matrix3::zeros(), -back * hat(&position), back)
    }

    /// The columns of the joint's motions.
    fn motions(&self) -> Vec<Vector6<f64>> {
        let column = |angular: Vector3<f64>, linear: Vector3<f64>| {
            Vector6::from_iterator(angular.iter().chain(linear.iter()).copied())
        };
        match &self.joint {
            Joint::Hinge(axis, _) => vec![column(*axis, Vector3::zeros())],
            Joint::Slide(axis, _) => vec![column(Vector3::zeros(), *axis)],
            Joint::Ball(_) => (0..3).map(|at| Vector6::ith(at, 1.0)).collect(),
            Joint::Free(..) => (0..6).map(|at| Vector6::ith(at, 1.0)).collect(),
        }
    }

    fn spatial_inertia(&self) -> Matrix6<f64> {
        let (m, c) = (self.mass, hat(&self.center));
        blocks(self.inertia - m * c * c, m * c, -m * c, m * Matrix3::identity())
    }
}

/// The twists of all bodies.
pub fn twists(bodies: &[Body], v: &[f64]) -> Vec<Vector6<f64>> {
    let mut at = 0;
    let mut all: Vec<Vector6<f64>> = Vec::new();
    for body in bodies {
        let parent = body.parent.map_or_else(Vector6::zeros, |parent| all[parent]);
        let mut twist = body.transform() * parent;
        for motion in body.motions() {
            twist += motion * v[at];
            at += 1;
        }
        all.push(twist);
    }
    all
}

/// The forces of the joints that give these accelerations.
pub fn inverse_dynamics(bodies: &[Body], gravity: Vector3<f64>, v: &[f64], acceleration: &[f64]) -> DVector<f64> {
    let all = twists(bodies, v);
    let mut start = Vector6::zeros();
    start.fixed_rows_mut::<3>(3).copy_from(&-gravity);
    let (mut at, mut accelerations, mut forces) = (0, Vec::new(), Vec::new());
    for (body, twist) in bodies.iter().zip(&all) {
        let parent = body.parent.map_or(start, |parent| accelerations[parent]);
        let mut own = body.transform() * parent;
        for motion in body.motions() {
            own += motion * acceleration[at] + bracket(twist) * motion * v[at];
            at += 1;
        }
        let inertia = body.spatial_inertia();
        forces.push(inertia * own - bracket(twist).transpose() * (inertia * twist));
        accelerations.push(own);
    }
    let mut joints = DVector::zeros(at);
    for (index, body) in bodies.iter().enumerate().rev() {
        let motions = body.motions();
        at -= motions.len();
        for (offset, motion) in motions.iter().enumerate() {
            joints[at + offset] = motion.dot(&forces[index]);
        }
        if let Some(parent) = body.parent {
            let handed = body.transform().transpose() * forces[index];
            forces[parent] += handed;
        }
    }
    joints
}

/// The mass matrix, column by column.
pub fn mass_matrix(bodies: &[Body]) -> DMatrix<f64> {
    let dof = bodies.iter().map(|body| body.motions().len()).sum();
    let rest = vec![0.0; dof];
    let columns: Vec<DVector<f64>> = (0..dof)
        .map(|column| {
            let mut unit = rest.clone();
            unit[column] = 1.0;
            inverse_dynamics(bodies, Vector3::zeros(), &rest, &unit)
        })
        .collect();
    DMatrix::from_columns(&columns)
}

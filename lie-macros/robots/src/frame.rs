//! Spatial algebra: rotations, frames and moments of inertia.

/// A vector.
pub(super) type Vector = [f64; 3];

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] + b[k])
}

pub(super) fn times(scale: f64, a: Vector) -> Vector {
    a.map(|x| scale * x)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn norm(a: Vector) -> f64 {
    a.into_iter().fold(0.0, f64::hypot)
}

/// Normalises a vector; `None` for a zero vector.
pub(super) fn direction(a: Vector) -> Option<Vector> {
    let length = norm(a);
    (length > 1e-12).then(|| a.map(|x| x / length))
}

/// Returns two unit vectors orthogonal to an axis.
pub(super) fn across(axis: Vector) -> [Vector; 2] {
    let helper = if axis[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = direction(plus(helper, times(-dot(axis, helper), axis))).unwrap_or(helper);
    [first, cross(axis, first)]
}

/// A rotation, as a unit quaternion w, x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rotation(pub [f64; 4]);

impl Rotation {
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// A rotation about an axis of length one.
    pub fn about(axis: Vector, angle: f64) -> Self {
        let (sine, cosine) = (0.5 * angle).sin_cos();
        let [x, y, z] = times(sine, axis);
        Self([cosine, x, y, z])
    }

    /// The rotation with a rotation vector: the angle is its length.
    pub fn of_vector(vector: Vector) -> Self {
        direction(vector).map_or(Self::IDENTITY, |axis| Self::about(axis, norm(vector)))
    }

    /// The images of the coordinate axes.
    pub fn axes(self) -> [Vector; 3] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.matrix();
        [[a, d, g], [b, e, h], [c, f, i]]
    }

    /// The rotation with roll, pitch and yaw angles: R = R_z R_y R_x.
    pub fn of_roll_pitch_yaw([roll, pitch, yaw]: Vector) -> Self {
        let ((sr, cr), (sp, cp), (sy, cy)) = ((0.5 * roll).sin_cos(), (0.5 * pitch).sin_cos(), (0.5 * yaw).sin_cos());
        Self([
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ])
    }

    /// The rotation from the coordinate axes to orthonormal directions (S. W. Shepperd, J. Guid. Control 1, 1978).
    pub fn of_axes(axes: [Vector; 3]) -> Self {
        let entry = |i: usize, k: usize| axes[k][i];
        let diagonal = [entry(0, 0), entry(1, 1), entry(2, 2)];
        let trace: f64 = diagonal.iter().sum();
        // The squares of four components; the division is by the largest component.
        let squares = [trace, diagonal[0], diagonal[1], diagonal[2]];
        let largest = (0..4).fold(0, |best, at| if squares[at] > squares[best] { at } else { best });
        let [zy, xz, yx] = [entry(2, 1) - entry(1, 2), entry(0, 2) - entry(2, 0), entry(1, 0) - entry(0, 1)];
        let [xy, yz, zx] = [entry(0, 1) + entry(1, 0), entry(1, 2) + entry(2, 1), entry(2, 0) + entry(0, 2)];
        Self::of_quaternion(match largest {
            0 => [1.0 + trace, zy, xz, yx],
            1 => [zy, 1.0 + 2.0 * diagonal[0] - trace, xy, zx],
            2 => [xz, xy, 1.0 + 2.0 * diagonal[1] - trace, yz],
            _ => [yx, zx, yz, 1.0 + 2.0 * diagonal[2] - trace],
        })
        .unwrap_or(Self::IDENTITY)
    }

    /// The rotation with the least angle from the third axis to a direction.
    pub fn of_third_axis(direction: Vector) -> Self {
        let axis = cross([0.0, 0.0, 1.0], direction);
        let angle = norm(axis).atan2(direction[2]);
        self::direction(axis).map_or_else(
            || if direction[2] > 0.0 { Self::IDENTITY } else { Self([0.0, 1.0, 0.0, 0.0]) },
            |axis| Self::about(axis, angle),
        )
    }

    /// Normalises a quaternion; `None` for a zero quaternion.
    pub fn of_quaternion(numbers: [f64; 4]) -> Option<Self> {
        let length = numbers.into_iter().fold(0.0, f64::hypot);
        (length > 1e-12).then(|| Self(numbers.map(|x| x / length)))
    }

    pub fn inverse(self) -> Self {
        let [w, x, y, z] = self.0;
        Self([w, -x, -y, -z])
    }

    pub fn after(self, other: Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        Self([
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ])
    }

    pub fn matrix(self) -> [Vector; 3] {
        let [w, x, y, z] = self.0;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }

    pub fn rotate(self, a: Vector) -> Vector {
        self.matrix().map(|row| dot(row, a))
    }

    /// The rotation vector of least length.
    pub fn vector(self) -> Vector {
        let [w, x, y, z] = if self.0[0] < 0.0 { self.0.map(|x| -x) } else { self.0 };
        let sine = norm([x, y, z]);
        let scale = if sine == 0.0 { 0.0 } else { 2.0 * sine.atan2(w) / sine };
        times(scale, [x, y, z])
    }
}

/// The pose of a frame in another frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub rotation: Rotation,
    pub position: Vector,
}

impl Frame {
    pub const IDENTITY: Self = Self { rotation: Rotation::IDENTITY, position: [0.0; 3] };

    pub fn at(position: Vector) -> Self {
        Self { position, ..Self::IDENTITY }
    }

    pub fn then(self, other: Self) -> Self {
        Self { rotation: self.rotation.after(other.rotation), position: self.point(other.position) }
    }

    pub fn inverse(self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, position: times(-1.0, rotation.rotate(self.position)) }
    }

    /// A point of this frame in the coordinates of the other frame.
    pub fn point(self, point: Vector) -> Vector {
        plus(self.position, self.rotation.rotate(point))
    }
}

/// Moments and products of inertia xx, yy, zz, xy, xz, yz.
pub(super) type Moments = [f64; 6];

/// The inertia matrix.
pub(super) fn symmetric([xx, yy, zz, xy, xz, yz]: Moments) -> [Vector; 3] {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

/// The inertia in rotated axes, R J Rᵀ.
pub(super) fn rotated(moments: Moments, rotation: Rotation) -> Moments {
    let (own, turn) = (symmetric(moments), rotation.matrix());
    let entry = |i: usize, k: usize| -> f64 {
        let products = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
        products.map(|(a, b)| turn[i][a] * own[a][b] * turn[k][b]).sum()
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// The inertia of a point mass, m (|c|² 1 − c cᵀ) (parallel axis theorem).
pub(super) fn of_point(mass: f64, c: Vector) -> Moments {
    let square = dot(c, c);
    let diagonal = c.map(|x| mass * (square - x * x));
    [diagonal[0], diagonal[1], diagonal[2], -mass * c[0] * c[1], -mass * c[0] * c[2], -mass * c[1] * c[2]]
}

/// The principal moments in ascending order: eigenvalues of a symmetric matrix by Viète's formula.
pub(super) fn principal(moments: Moments) -> Vector {
    let [xx, yy, zz, xy, xz, yz] = moments;
    let mean = (xx + yy + zz) / 3.0;
    let off = xy * xy + xz * xz + yz * yz;
    let spread = [xx, yy, zz].iter().map(|x| (x - mean).powi(2)).sum::<f64>() + 2.0 * off;
    let radius = (spread / 6.0).sqrt();
    if radius == 0.0 {
        return [mean; 3];
    }
    let [a, b, c] = [xx, yy, zz].map(|x| (x - mean) / radius);
    let [d, e, f] = [xy, xz, yz].map(|x| x / radius);
    let half = 0.5 * (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e));
    let angle = half.clamp(-1.0, 1.0).acos() / 3.0;
    let third = 2.0 * std::f64::consts::FRAC_PI_3;
    let root = |turn: f64| mean + 2.0 * radius * (angle + turn).cos();
    [root(third), root(2.0 * third), root(0.0)]
}

/// Eigenvalues of a symmetric matrix and a right-handed system of eigenvectors by cyclic Jacobi rotations (G. H. Golub and C. F. Van Loan,
/// Matrix Computations, 2013, section 8.5).
pub(super) fn eigensystem(mut matrix: [Vector; 3]) -> (Vector, [Vector; 3]) {
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Convergence is quadratic: a few sweeps reach round-off.
    for (p, q) in (0..12).flat_map(|_| [(0, 1), (0, 2), (1, 2)]) {
        let off = matrix[p][q];
        if off == 0.0 {
            continue;
        }
        let ratio = 0.5 * (matrix[q][q] - matrix[p][p]) / off;
        let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
        let cosine = 1.0 / tangent.hypot(1.0);
        let sine = tangent * cosine;
        let mixed = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
        for row in &mut matrix {
            (row[p], row[q]) = mixed(row[p], row[q]);
        }
        for k in 0..3 {
            (matrix[p][k], matrix[q][k]) = mixed(matrix[p][k], matrix[q][k]);
            (axes[p][k], axes[q][k]) = mixed(axes[p][k], axes[q][k]);
        }
    }
    (std::array::from_fn(|k| matrix[k][k]), axes)
}

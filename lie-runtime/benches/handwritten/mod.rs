//! Components of handwritten steps: vectors and rotations by value, the series of small rotations.
// All values of a step stay in registers.

pub mod hedop5;
pub mod rkmk4;

use core::ops::{Add, Mul, Sub};

/// A vector of space.
#[derive(Clone, Copy)]
pub struct Xyz(pub f64, pub f64, pub f64);

impl Add for Xyz {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Xyz(self.0 + other.0, self.1 + other.1, self.2 + other.2)
    }
}

impl Sub for Xyz {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Xyz(self.0 - other.0, self.1 - other.1, self.2 - other.2)
    }
}

impl Mul<f64> for Xyz {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Xyz(self.0 * factor, self.1 * factor, self.2 * factor)
    }
}

impl Xyz {
    #[inline(always)]
    pub fn dot(self, other: Self) -> f64 {
        self.0 * other.0 + self.1 * other.1 + self.2 * other.2
    }
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Xyz(
            self.1 * other.2 - self.2 * other.1,
            self.2 * other.0 - self.0 * other.2,
            self.0 * other.1 - self.1 * other.0,
        )
    }
    /// Component by component.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Xyz(self.0 * other.0, self.1 * other.1, self.2 * other.2)
    }
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.0 + self.1 + self.2
    }
}

/// A rotation by its columns.
#[derive(Clone, Copy)]
pub struct Rotation(Xyz, Xyz, Xyz);

impl Rotation {
    pub fn identity() -> Self {
        Rotation(Xyz(1.0, 0.0, 0.0), Xyz(0.0, 1.0, 0.0), Xyz(0.0, 0.0, 1.0))
    }
    /// R x.
    #[inline(always)]
    pub fn rotate(self, x: Xyz) -> Xyz {
        self.0 * x.0 + self.1 * x.1 + self.2 * x.2
    }
    /// Rᵀ x.
    #[inline(always)]
    pub fn back(self, x: Xyz) -> Xyz {
        Xyz(self.0.dot(x), self.1.dot(x), self.2.dot(x))
    }
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Rotation(self.rotate(other.0), self.rotate(other.1), self.rotate(other.2))
    }
}

/// Eight terms in pairs.
#[inline(always)]
fn series(z: f64, a: [f64; 8]) -> f64 {
    let square = z * z;
    let low = (a[0] + a[1] * z) + (a[2] + a[3] * z) * square;
    let high = (a[4] + a[5] * z) + (a[6] + a[7] * z) * square;
    low + high * (square * square)
}

const fn factorials(first: u32) -> [f64; 8] {
    let mut coefficients = [0.0; 8];
    let (mut j, mut factorial, mut i) = (0, 1.0, 1);
    while j < 8 {
        while i <= first + 2 * j {
            factorial *= i as f64;
            i += 1;
        }
        coefficients[j as usize] = if j % 2 == 0 { 1.0 / factorial } else { -1.0 / factorial };
        j += 1;
    }
    coefficients
}

/// (1 − cos x) / x² and (x − sin x) / x³ of z = x².
#[inline(always)]
fn coefficients(z: f64) -> (f64, f64) {
    if z < 0.25 { (series(z, const { factorials(2) }), series(z, const { factorials(3) })) } else { far(z) }
}

#[cold]
#[inline(never)]
fn far(z: f64) -> (f64, f64) {
    let x = z.sqrt();
    let half = (0.5 * x).sin();
    (2.0 * half * half / z, (x - x.sin()) / (x * z))
}

/// c₂, c₃ and exp(Ω) = I + c₁ Ω~ + c₂ Ω~².
#[inline(always)]
pub fn exponential(omega: Xyz) -> (f64, f64, Rotation) {
    let Xyz(x, y, z) = omega;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let square = xx + yy + zz;
    let (second, third) = coefficients(square);
    let first = 1.0 - square * third;
    let (sx, sy, sz) = (first * x, first * y, first * z);
    let (cx, cy) = (second * x, second * y);
    let (xy, xz, yz) = (cx * y, cx * z, cy * z);
    let turn = Rotation(
        Xyz(1.0 - second * (yy + zz), xy + sz, xz - sy),
        Xyz(xy - sz, 1.0 - second * (xx + zz), yz + sx),
        Xyz(xz + sy, yz - sx, 1.0 - second * (xx + yy)),
    );
    (second, third, turn)
}

/// γ and dγ/dz of T(Ω)⁻¹ = I + ½ Ω~ + γ Ω~².
#[inline(always)]
pub fn tangent_inverse(omega: Xyz) -> (f64, f64) {
    /// 2 ζ(2j + 2) / (2π)^(2j+2).
    const GAMMA: [f64; 9] = [
        0.083_333_333_333_333_33,
        0.001_388_888_888_888_889,
        3.306_878_306_878_307e-5,
        8.267_195_767_195_768e-7,
        2.087_675_698_786_81e-8,
        5.284_190_138_687_493e-10,
        1.338_253_653_068_467_9e-11,
        3.389_680_296_322_582_7e-13,
        8.586_062_056_277_845e-15,
    ];
    const VALUE: [f64; 8] = [GAMMA[0], GAMMA[1], GAMMA[2], GAMMA[3], GAMMA[4], GAMMA[5], GAMMA[6], GAMMA[7]];
    const SLOPE: [f64; 8] = [
        GAMMA[1],
        2.0 * GAMMA[2],
        3.0 * GAMMA[3],
        4.0 * GAMMA[4],
        5.0 * GAMMA[5],
        6.0 * GAMMA[6],
        7.0 * GAMMA[7],
        8.0 * GAMMA[8],
    ];
    let z = omega.dot(omega);
    if z < 0.25 { (series(z, VALUE), series(z, SLOPE)) } else { far_inverse(z) }
}

#[cold]
#[inline(never)]
fn far_inverse(z: f64) -> (f64, f64) {
    let half = 0.5 * z.sqrt();
    let gamma = (1.0 - half / half.tan()) / z;
    (gamma, 0.5 * (z * gamma * gamma - 3.0 * gamma + 0.25) / z)
}

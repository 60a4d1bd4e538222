//! Random states, with rotations near the identity and near half a turn among them.

/// A small generator (xorshift64*): the same states on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in [-1, 1).
    pub fn number(&mut self) -> f64 {
        (self.bits() as f64) / (1_u64 << 52) as f64 - 1.0
    }

    /// A number below this one; 0 if there is none.
    ///
    /// # Panics
    /// Never: what is below a `usize` is one.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.bits() % (limit as u64).max(1)).expect("it is below the limit")
    }

    /// 53 bits.
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// A vector with components in [-1, 1).
    pub fn vector<const N: usize>(&mut self) -> lie_runtime::nalgebra::SVector<f64, N> {
        lie_runtime::nalgebra::SVector::from_fn(|_, _| self.number())
    }

    /// A rotation vector: mostly ordinary angles, sometimes tiny ones, sometimes nearly π.
    pub fn rotation_vector(&mut self) -> lie_runtime::nalgebra::Vector3<f64> {
        let direction = loop {
            let v = self.vector::<3>();
            let square = v.norm_squared();
            if square > 0.01 && square < 1.0 {
                break v / square.sqrt();
            }
        };
        let choice = self.number();
        let angle = if choice < -0.8 {
            10.0_f64.powf(-1.0 - 11.0 * self.number().abs())
        } else if choice < -0.6 {
            std::f64::consts::PI * (1.0 - 10.0_f64.powf(-1.0 - 7.0 * self.number().abs()))
        } else {
            std::f64::consts::PI * self.number().abs()
        };
        direction * angle
    }
}

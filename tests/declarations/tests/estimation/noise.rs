//! Reproducible normal noise.

/// A source of normal numbers: a multiplicative congruential generator and the Box-Muller transform.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        // The first numbers of similar seeds are similar.
        for _ in 0..8 {
            noise.uniform();
        }
        noise
    }

    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        let (radius, angle) = ((-2.0 * self.uniform().ln()).sqrt(), core::f64::consts::TAU * self.uniform());
        radius * angle.cos()
    }
}

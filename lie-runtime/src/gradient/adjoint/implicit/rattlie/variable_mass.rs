//! The additional terms for a mass matrix M(q): its derivative, and the reverse pass through the rates of momenta.
//!
//! Ṁ Δ is the derivative of M(t + ε, q exp(ε Δ)) Δ. The gradient of w · Ṁ Δ is therefore the derivative of the gradient of w · M Δ,
//! computed by the reverse-mode kernels on dual numbers. The weights w + ε u add the gradient of u · M Δ. M a is r at the acceleration a
//! minus r at zero acceleration. The choice a = 2 Δ / h has the size of accelerations: the round-off from cancelled forces is not larger
//! than in a step.

use num_traits::{One, Zero};

use crate::gradient::components::part;
use crate::group::TangentVector;
use crate::scalar::{Dual, Scalar};
use crate::space::{ConfigurationSpace, ReverseSpace};
use crate::system::{Cotangents, Liftable, MechanicalSystem, Momentum, MomentumRate, Reverse};

type Raised<M> = <<M as crate::system::Liftable>::Lifted as MechanicalSystem>::Velocity;

/// A system with reverse passes through momenta and their rates.
pub(in crate::gradient::adjoint) trait Variational:
    Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum>
{
}

impl<M: Reverse + MomentumRate + Liftable<Lifted: Reverse + Momentum>> Variational for M {}

/// The buffers, allocated once.
pub(super) struct ChangingMass<M: Variational> {
    raised: M::Lifted,
    /// t + ε.
    t: Dual<M::Scalar>,
    start: <M::Lifted as MechanicalSystem>::Configuration,
    /// q exp(ε Δ).
    moved: <M::Lifted as MechanicalSystem>::Configuration,
    /// ε Δ.
    step: Raised<M>,
    /// Δ, 2 Δ / h, 0.
    motion: [Raised<M>; 3],
    no_rows: <M::Lifted as MechanicalSystem>::Multipliers,
    weights: Raised<M>,
    image: Raised<M>,
    of_moved: Raised<M>,
    of_start: Raised<M>,
    of_step: Raised<M>,
    /// Cotangents of the parameters, for all steps since the last transfer, and of the inputs.
    of_parameters: Vec<Dual<M::Scalar>>,
    /// Δ, 2 Δ / h, 0 without derivatives.
    plain: [M::Velocity; 3],
    plain_rows: M::Multipliers,
    /// D_q r at both ends, at the acceleration 2 Δ / h and at zero acceleration.
    slopes: [[M::Matrix; 2]; 2],
    unwanted: M::Velocity,
    column: M::Velocity,
    h: f64,
}

impl<M: Variational> ChangingMass<M> {
    pub fn of(system: &M, q: &M::Configuration) -> Self {
        let (raised, start) = (system.lift(), system.lift_configuration(q));
        let (zero, plain, matrix) = (|| raised.zero_velocity(), || system.zero_velocity(), || system.zero_matrix());
        ChangingMass {
            t: Dual::zero(),
            moved: start.clone(),
            start,
            step: zero(),
            motion: [zero(), zero(), zero()],
            no_rows: raised.zero_multipliers(),
            weights: zero(),
            image: zero(),
            of_moved: zero(),
            of_start: zero(),
            of_step: zero(),
            of_parameters: vec![Dual::zero(); system.parameter_count() + system.input_count()],
            plain: [plain(), plain(), plain()],
            plain_rows: system.zero_multipliers(),
            slopes: [[matrix(), matrix()], [matrix(), matrix()]],
            unwanted: plain(),
            column: plain(),
            h: 0.0,
            raised,
        }
    }

    /// Sets θ = h Δ of a step.
    pub fn begin(&mut self, theta: &M::Velocity, h: f64) {
        let real = M::Scalar::from_f64;
        let [rate, acceleration, _] = &mut self.plain;
        rate.assign_scaled(real(1.0 / h), theta);
        acceleration.assign_scaled(real(2.0 / (h * h)), theta);
        let [raised_rate, raised_acceleration, _] = &mut self.motion;
        part(rate, raised_rate, Dual::lift);
        part(acceleration, raised_acceleration, Dual::lift);
        part(rate, &mut self.step, |eps| Dual { re: M::Scalar::zero(), eps });
        self.h = h;
    }

    /// Δ.
    pub fn rate(&self) -> &M::Velocity {
        &self.plain[0]
    }

    /// Sets an end of the step, with the motion along Δ.
    pub fn place(&mut self, system: &M, (t, q): (M::Scalar, &M::Configuration)) {
        self.t = Dual { re: t, eps: M::Scalar::one() };
        system.lift_configuration_onto(q, &mut self.start);
        self.raised.space().compose_exp(&self.start, &self.step, &mut self.moved);
    }

    /// Computes Ṁ w at the current end.
    pub fn momentum_rate(&mut self, w: &M::Velocity, out: &mut M::Velocity) {
        part(w, &mut self.weights, Dual::lift);
        self.raised.momentum(self.t, &self.moved, &self.weights, &mut self.image);
        part(&self.image, out, |x| x.eps);
    }

    /// Adds the gradient of w · Ṁ Δ + u · M θ at the current end with respect to q and the parameters. The gradient of w · Ṁ Δ with
    /// respect to Δ is added to the velocity.
    pub fn back(&mut self, system: &M, [w, u]: [&M::Velocity; 2], out: &mut Cotangents<'_, M::Velocity, M::Scalar>) {
        let (real, h) = (M::Scalar::from_f64, self.h);
        let Self { raised, motion: [rate, acceleration, none], weights, of_moved, of_start, of_step, .. } = self;
        part(w, weights, |x| Dual::lift(x * real(0.5 * h)));
        raised.momentum(self.t, &self.moved, weights, &mut self.image);
        for at in 0..u.component_count() {
            let re = weights.component(at).re;
            weights.set_component(at, Dual { re, eps: u.component(at) * real(0.5 * h * h) });
        }
        for cotangents in [&mut *of_moved, &mut *of_start, &mut *of_step] {
            cotangents.fill(Dual::zero());
        }
        for acceleration in [acceleration, none] {
            let out = &mut Cotangents {
                of_configuration: of_moved,
                of_velocity: of_start,
                of_parameters: &mut self.of_parameters,
            };
            raised.residual_pullback(self.t, &self.moved, rate, acceleration, &self.no_rows, weights, out);
            weights.scale(-Dual::one());
        }
        of_start.fill(Dual::zero());
        raised.space().motion_pullback(&self.step, of_moved, of_start, of_step);
        for at in 0..u.component_count() {
            let of_q = out.of_configuration.component(at) + of_start.component(at).eps;
            out.of_configuration.set_component(at, of_q);
            let of_rate = of_step.component(at).re + self.image.component(at).eps * real(2.0 / h);
            out.of_velocity.set_component(at, out.of_velocity.component(at) + of_rate);
        }
        let parameters = system.parameter_count();
        for (own, of_input) in out.of_parameters[parameters..].iter_mut().zip(&mut self.of_parameters[parameters..]) {
            *own += of_input.eps;
            *of_input = Dual::zero();
        }
    }

    /// Adds the gradient of u · M θ with respect to q and the parameters, in any configuration.
    pub fn back_through_momentum(
        &mut self,
        system: &M,
        (t, q): (M::Scalar, &M::Configuration),
        u: &M::Velocity,
        out: &mut Cotangents<'_, M::Velocity, M::Scalar>,
    ) {
        let Self { plain: [rate, acceleration, none], plain_rows, unwanted, column, .. } = self;
        column.assign_scaled(M::Scalar::from_f64(0.5 * self.h * self.h), u);
        let out = &mut Cotangents {
            of_configuration: out.of_configuration,
            of_velocity: unwanted,
            of_parameters: out.of_parameters,
        };
        for acceleration in [acceleration, none] {
            system.residual_pullback(t, q, rate, acceleration, plain_rows, column, out);
            column.scale(-M::Scalar::one());
        }
    }

    /// Computes the derivative of M(q) θ with respect to q, at both ends.
    pub fn find_slopes(&mut self, system: &M, ends: [(M::Scalar, &M::Configuration); 2]) {
        let Self { plain: [rate, acceleration, none], plain_rows, slopes, .. } = self;
        for ([with, without], (t, q)) in slopes.iter_mut().zip(ends) {
            system.tangent_stiffness(t, q, rate, acceleration, plain_rows, with);
            system.tangent_stiffness(t, q, rate, none, plain_rows, without);
        }
    }

    /// Adds the gradient of w · M(q) θ with respect to q at an end, times a factor.
    pub fn add_slope(&mut self, system: &M, end: usize, w: &M::Velocity, factor: f64, out: &mut M::Velocity) {
        let scale = 0.5 * self.h * self.h * factor;
        for (matrix, sign) in self.slopes[end].iter().zip([scale, -scale]) {
            system.matrix_transpose_times(matrix, w, &mut self.column);
            out.axpy(M::Scalar::from_f64(sign), &self.column);
        }
    }

    /// Adds the cotangents of the parameters of all steps since the last transfer.
    pub fn finish(&mut self, of_parameters: &mut [M::Scalar]) {
        for (own, of_parameter) in of_parameters.iter_mut().zip(&mut self.of_parameters) {
            *own += of_parameter.eps;
            *of_parameter = Dual::zero();
        }
    }
}

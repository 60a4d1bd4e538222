//! Counts instructions of the kernels and steps of the heavy top, a thousand of each: on SE(3), and on SO(3) with methods for equations of
//! first order.
//!
//! Needs valgrind and `cargo install gungraun-runner --version 0.20.0`:
//! `cargo bench -p lie-runtime --features instruction-counts --bench instructions`.

#![allow(missing_docs)] // For the generated code of the gungraun macros.

mod fixed_point_top;
mod heavy_top;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use heavy_top::runs::{self, Kernel};
use heavy_top::{block_matrices, duals, generated, straight};
use lie_runtime::integrator::generalized_alpha::NewtonUpdate;
use lie_runtime::integrator::{CommutatorFree, HalfExplicit, MuntheKaas};

const TIMES: u64 = 1000;

type Run = Box<dyn FnMut(u64)>;

fn ready(mut run: Run) -> Run {
    // The first call resolves symbols and fills caches.
    run(2);
    run
}

/// One benchmark per kernel or method, one row per version.
macro_rules! benchmarks {
    ($($name:ident($make:ident, $($argument:expr),*);)*) => {
        $(
            #[library_benchmark]
            #[bench::generated(ready(runs::$make::<generated::principal::System>($($argument),*)))]
            #[bench::straight(ready(runs::$make::<straight::HeavyTop>($($argument),*)))]
            #[bench::generated_full(ready(runs::$make::<generated::full::System>($($argument),*)))]
            #[bench::block_matrices(ready(runs::$make::<block_matrices::HeavyTop>($($argument),*)))]
            #[bench::duals(ready(runs::$make::<duals::HeavyTop>($($argument),*)))]
            fn $name(mut run: Run) {
                black_box(&mut run)(TIMES);
            }
        )*
        library_benchmark_group!(name = heavy_top_on_se3, benchmarks = [$($name),*]);
    };
}

benchmarks! {
    force(kernel, Kernel::Force);
    constraint_jacobian(kernel, Kernel::ConstraintJacobian);
    solve_kkt(kernel, Kernel::SolveSaddle);
    compose_exp(kernel, Kernel::ComposeExp);
    tangent_inverse(kernel, Kernel::TangentInverse);
    tangent_stiffness(kernel, Kernel::TangentStiffness);
    tangent_damping(kernel, Kernel::TangentDamping);
    herk2_heun(steps, HalfExplicit::herk2_heun(), false);
    herk2_midpoint(steps, HalfExplicit::herk2_midpoint(), false);
    herk2_heun_lambda2(steps, HalfExplicit::herk2_heun_lambda2(), false);
    herk2_midpoint_lambda2(steps, HalfExplicit::herk2_midpoint_lambda2(), false);
    herk3(steps, HalfExplicit::herk3(), false);
    herk3_lambda3(steps, HalfExplicit::herk3_lambda3(), false);
    herk4(steps, HalfExplicit::herk4(), false);
    herk4_rational(steps, HalfExplicit::herk4_rational(), false);
    hedop5(steps, HalfExplicit::hedop5(), false);
    hedop5_with_estimate(steps, HalfExplicit::hedop5(), true);
}

/// One benchmark per implicit method, one row per iteration.
macro_rules! implicit_benchmarks {
    ($($name:ident;)*) => {
        $(
            #[library_benchmark]
            #[bench::exact(ready(implicit(stringify!($name), NewtonUpdate::Exact, false)))]
            #[bench::simplified(ready(implicit(stringify!($name), NewtonUpdate::Simplified, false)))]
            #[bench::modified(ready(implicit(stringify!($name), NewtonUpdate::Modified, false)))]
            #[bench::with_estimate(ready(implicit(stringify!($name), NewtonUpdate::Exact, true)))]
            fn $name(mut run: Run) {
                black_box(&mut run)(TIMES);
            }
        )*
        library_benchmark_group!(name = implicit_heavy_top_on_se3, benchmarks = [$($name),*]);
    };
}

fn implicit(id: &str, newton: NewtonUpdate, estimate: bool) -> Run {
    runs::implicit_steps::<generated::principal::System>(id, newton, estimate)
}

implicit_benchmarks! {
    lie_alpha;
    lie_alpha_stab2;
    ul_crv;
    ul_rotation_vector;
    ul_cayley;
}

/// One benchmark per method for equations of first order, one row per formulation.
macro_rules! field_benchmarks {
    ($($name:ident: $family:ident;)*) => {
        $(
            #[library_benchmark]
            #[bench::declared(ready(fixed_point_top::declared($family::$name())))]
            #[bench::hamiltonian(ready(fixed_point_top::canonical($family::$name())))]
            fn $name(mut run: Run) {
                black_box(&mut run)(TIMES);
            }
        )*
        library_benchmark_group!(name = heavy_top_on_so3, benchmarks = [$($name),*]);
    };
}

field_benchmarks! {
    lie_euler: MuntheKaas;
    rkmk3: MuntheKaas;
    rkmk4: MuntheKaas;
    rkmk4_truncated: MuntheKaas;
    rkmk4_two_commutators: MuntheKaas;
    rkmk54: MuntheKaas;
    cf3a: CommutatorFree;
    cf4: CommutatorFree;
    cg3: CommutatorFree;
}

main!(library_benchmark_groups = heavy_top_on_se3, implicit_heavy_top_on_se3, heavy_top_on_so3);

//! Common parts of hand-written elements.

/// The functions of an element without constraints, of a system with this scalar and configuration, with velocities of
/// so many components.
macro_rules! without_constraints {
    ($system:ty, $scalar:ty, $configuration:ty, $dof:literal) => {
        fn constraint(_: &$system, _: &ElementLocation<'_>, _: $scalar, _: &$configuration, _: &mut [$scalar; 0]) {}
        fn constraint_jacobian(
            _: &$system,
            _: &ElementLocation<'_>,
            _: $scalar,
            _: &$configuration,
            _: &mut [$scalar; 0],
        ) {
        }
        fn constraint_drift(
            _: &$system,
            _: &ElementLocation<'_>,
            _: $scalar,
            _: &$configuration,
            _: &mut [$scalar; 0],
        ) {
        }
        fn constraint_curvature(
            _: &$system,
            _: &ElementLocation<'_>,
            _: $scalar,
            _: &$configuration,
            _: &[$scalar; $dof],
            _: &mut [$scalar; 0],
        ) {
        }
        fn rate_gradient(
            _: &$system,
            _: &ElementLocation<'_>,
            _: $scalar,
            _: &$configuration,
            _: &[$scalar; $dof],
            _: &mut [$scalar; 0],
        ) {
        }
    };
}

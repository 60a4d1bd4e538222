use lie_runtime::prelude::*;

#[mechanical_system]
mod planar {
    use lie_runtime::prelude::*;

    const N: usize = 3;

    #[configuration]
    pub struct Arm {
        pub cart: R1,
        #[clamped(first)]
        pub hinges: [SO2; N],
    }

    /// The end of a link, from the middle of the one before; a power of fixed length has frames as well.
    #[kinematics(over = hinges)]
    fn end(t: f64, length: usize, index: usize, above: &SE2, hinge: &SO2) -> SE2 {
        let reach = if index + 1 == length { 1.0 } else { 0.5 + 0.1 * t.sin() };
        *above * SE2::new(*hinge, *hinge * Vector2::new(reach, 0.0))
    }

    #[mass_matrix(over = end)]
    fn inertia(_x: &SE2) -> Matrix3<f64> {
        Matrix3::from_diagonal(&Vector3::new(0.1, 1.0, 1.0))
    }

    #[mass_matrix(over = cart)]
    fn of_the_cart() -> Matrix1<f64> {
        Matrix1::new(2.0)
    }

    #[quantity(over = end[1])]
    pub fn grip(x: &SE2) -> Vector2<f64> {
        x.translation
    }

    #[force(at = grip)]
    fn pull() -> Vector2<f64> {
        Vector2::new(0.0, -1.0)
    }

    #[force(over = end.first())]
    fn push(_x: &SE2, v: &Vector3<f64>) -> Vector3<f64> {
        -v
    }

    /// Members may be constrained as ever.
    #[constraint(over = hinges.windows(2))]
    fn gear([a, b]: [&SO2; 2]) -> f64 {
        a.angle() - b.angle()
    }

    #[observable]
    fn last(q: &Arm) -> Vector2<f64> {
        let mut frame = SE2::identity();
        for (index, hinge) in q.hinges.iter().enumerate() {
            frame = end(0.0, N, index, &frame, hinge);
        }
        frame.translation
    }
}

#[test]
fn frames_of_hinges_on_a_cart() {
    let system = planar::System::new().unwrap();
    assert_eq!((system.dof(), system.constraint_rows()), (3, 2));
    let frames = system.end_frames(0.0, &planar::Arm { cart: Vector1::zeros(), hinges: [SO2::identity(); 3] });
    assert_eq!(frames[2].translation[0], 2.0);
    assert_eq!(planar::grip_rate(&frames[1], &Vector3::new(0.0, 1.0, 2.0)), Vector2::new(1.0, 2.0));
}

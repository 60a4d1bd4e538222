//! Names that are keywords of the language: `r#type` is called `type` wherever people read it.

use lie_runtime::prelude::*;
use lie_runtime::simulate::Sampled;
use lie_runtime::system::ParameterSet;

#[mechanical_system(derivative_check)]
mod whole {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub r#in: SO3,
        pub r#ref: R3,
    }

    #[configuration]
    pub struct Pose {
        pub r#type: R3,
        pub r#box: f64,
        pub r#dyn: Body,
        pub r#loop: [SO2; 2],
    }

    #[parameters]
    pub struct Data {
        pub r#mod: f64,
        pub r#fn: [f64; 2],
        pub r#gen: Vector3<f64>,
    }

    #[inputs]
    pub struct Given {
        pub r#move: f64,
    }

    fn r#if(x: f64) -> f64 {
        x.sin()
    }

    const CONST: f64 = 0.5;

    #[kinetic_energy]
    fn r#struct(r#use: &Data, v: &Velocity) -> f64 {
        let r#let = v.r#type.norm_squared() + v.r#box * v.r#box + v.r#dyn.r#in.norm_squared();
        0.5 * r#use.r#mod * (r#let + v.r#dyn.r#ref.norm_squared() + v.r#loop[0].powi(2) + v.r#loop[1].powi(2))
    }

    #[potential]
    pub fn r#enum(r#use: &Data, r#as: &Pose) -> f64 {
        r#if(r#as.r#box) * CONST
            + (r#as.r#dyn.r#in * r#use.r#gen).dot(&r#as.r#type)
            + r#use.r#fn[1] * r#as.r#loop[1].angle()
    }

    #[quantity]
    fn r#for(r#as: &Pose) -> Vector3<f64> {
        r#as.r#dyn.r#in * r#as.r#dyn.r#ref
    }

    #[force(at = r#for)]
    fn r#impl(r#use: &Data, v: &Velocity) -> Vector3<f64> {
        -v.r#type * r#use.r#mod
    }

    #[force(on = r#box)]
    fn r#try(u: &Given) -> f64 {
        u.r#move
    }

    #[dissipation]
    fn r#while(v: &Velocity) -> f64 {
        0.1 * v.r#box.powi(2)
    }

    #[constraint]
    fn r#match(r#as: &Pose) -> f64 {
        r#as.r#dyn.r#ref.x
    }

    #[velocity_constraint]
    fn r#return(v: &Velocity) -> f64 {
        v.r#dyn.r#ref.y
    }

    #[observable]
    fn r#yield(r#as: &Pose) -> f64 {
        r#as.r#box
    }
}

#[mechanical_system(derivative_check)]
mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        #[clamped(first)]
        pub r#type: Vec<R2>,
        pub r#box: Vec<SO2>,
    }

    #[kinetic_energy(over = r#type)]
    fn r#struct(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = r#box)]
    fn r#enum(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[constraint(over = r#type.windows(2))]
    fn r#match([r#in, r#ref]: [&R2; 2]) -> f64 {
        (r#ref - r#in).norm_squared() - 1.0
    }

    #[quantity(over = r#box)]
    fn r#for(r#in: &SO2) -> f64 {
        r#in.angle().sin()
    }

    #[potential(over = (r#type, r#box).by(r#use))]
    fn r#impl(r#in: &R2, r#ref: &SO2) -> f64 {
        (*r#ref * Vector2::x()).dot(r#in)
    }
}

#[mechanical_system]
mod frames {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub r#type: Vec<SO2>,
    }

    #[kinematics(over = r#type)]
    fn r#loop(r#in: &SE2, r#ref: &SO2) -> SE2 {
        *r#in * SE2::new(*r#ref, Vector2::x())
    }

    #[kinetic_energy(over = r#loop)]
    fn r#struct(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[quantity(over = r#loop)]
    fn r#for(r#in: &SE2) -> Vector2<f64> {
        *r#in * Vector2::x()
    }

    #[observable(over = r#loop.last())]
    fn r#yield(r#in: &SE2) -> f64 {
        r#in.translation.x
    }
}

#[test]
fn are_read_and_written_as_people_write_them() {
    let data = whole::Data { r#mod: 2.0, r#fn: [0.1, 0.2], r#gen: Vector3::new(0.1, 0.2, 0.3) };
    let system = whole::System::new(data).unwrap().with_inputs(|_, _, _| whole::Given { r#move: 0.4 });
    let start = whole::Pose {
        r#type: Vector3::new(0.1, 0.2, 0.3),
        r#box: 0.3,
        r#dyn: whole::Body { r#in: SO3::identity(), r#ref: Vector3::new(0.0, 0.1, 0.2) },
        r#loop: [SO2::identity(); 2],
    };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).fix_initial(["type", "loop", "dyn.in"]);
    let run = run.step(0.01).end_time(0.1).run().unwrap();
    let mut names = Vec::new();
    system.sample(run.last()).record().for_each("", &mut |name, _| names.push(name.to_owned()));
    assert!(names.iter().all(|name| !name.contains("r#")), "{names:?}");
    for name in
        ["configuration.type[0]", "configuration.box", "velocity.dyn.ref[2]", "multipliers.match", "inputs.move"]
    {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    // Parameters are set by the names of their fields as they are declared.
    assert!(system.parameters().names().contains(&"r#mod"));
}

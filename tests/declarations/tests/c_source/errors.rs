//! Declarations without C code.

/// Returns the error of C code for a declaration with these items.
fn error(items: &str) -> String {
    let declaration = format!(
        "#[mechanical_system] mod system {{
            #[configuration] pub struct Place {{ pub x: R1 }}
            #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * v.x.norm_squared() }}
            {items}
        }}"
    );
    let error = lie_compiler::compile(&declaration).expect("it compiles").c_source().expect_err("no C code");
    assert_eq!(error.errors()[0].code, lie_compiler::Code::BackEnd);
    error.to_string()
}

#[test]
fn opaque_functions_have_no_c_code() {
    let text = error(
        "#[opaque] fn stiff<S: Scalar>(x: S) -> S { x.sin() }
         #[potential] fn spring(q: &Place) -> f64 { stiff(q.x[0]) }",
    );
    assert!(text.starts_with("error[back-end]: C code with the opaque function `stiff` is not supported"), "{text}");
    assert!(text.contains("--> declaration:4:"), "{text}");
}

#[test]
fn inputs_have_no_c_code() {
    let text = error(
        "#[inputs] pub struct Drive { pub force: f64 }
         #[force(on = x)] fn push(u: &Drive) -> f64 { u.force }",
    );
    assert!(text.starts_with("error[back-end]: C code with inputs is not supported"), "{text}");
}

#[test]
fn chains_have_no_c_code() {
    let declaration = "#[mechanical_system] mod chain {
        #[configuration] pub struct Points { pub x: Vec<R1> }
        #[kinetic_energy(over = x)] fn kinetic(v: &Vector1<f64>) -> f64 { 0.5 * v.norm_squared() }
    }";
    let compiled = lie_compiler::compile(declaration).unwrap_or_else(|errors| panic!("{errors}"));
    let text = compiled.c_source().expect_err("no C code").to_string();
    assert!(text.starts_with("error[back-end]: C code of a system with lists or frames is not supported"), "{text}");
}

//! Every listed method has a constructor: its identifier, as a function of the type of its family.

use lie_runtime::integrator::{
    BLieDF, Collocation, CommutatorFree, GeneralizedAlpha, HalfExplicit, MoreauJean, MuntheKaas, Rattlie, Rotation,
    SymplecticLieGroup, TrBdf2,
};

/// The identifiers in the table of methods.
fn listed() -> Vec<&'static str> {
    let table = include_str!("../../book/src/reference/methods_table.md");
    table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// Checks that the functions are the listed methods of their names, and collects these.
macro_rules! constructed {
    ($($family:ident: $($name:ident)*;)*) => {
        vec![$($({
            assert_eq!($family::by_id(stringify!($name)), Some($family::$name()));
            stringify!($name)
        },)*)*]
    };
}

#[test]
fn every_listed_method_is_constructed_by_its_identifier() {
    let mut constructed = constructed! {
        HalfExplicit: herk2_heun herk2_midpoint herk2_heun_lambda2 herk2_midpoint_lambda2 herk3 herk3_lambda3 herk4
            herk4_rational hedop5;
        BLieDF: bliedf1 bliedf1_stab2 bliedf2 bliedf2_stab2 bliedf3 bliedf3_stab2 bliedf4 bliedf4_stab2;
        Collocation: gauss2 gauss4 gauss6 radau_iia1 radau_iia3 radau_iia5 radau_iia1_index3 radau_iia3_index3
            radau_iia5_index3;
        Rotation: trap imid trapm imidm swc1 akw bbtrap bbtrapwd mkrk_midpoint mkrk_radau3 mkrk_rk4 mkrk_gauss4 mkrk_gauss6
            euler_forward euler_backward eulerm_forward eulerm_backward;
        MuntheKaas: lie_euler lie_heun rkmk3 rkmk32 rkmk4 rkmk4_truncated rkmk4_two_commutators rkmk5 rkmk54;
        CommutatorFree: cf3a cf3b cf4 cg2 cg3 cg4;
        SymplecticLieGroup: slgi_0 slgi_half slgi_1;
    };
    // With parameters: those by default, and Newmark's.
    constructed.extend([
        GeneralizedAlpha::lie_alpha().id(),
        GeneralizedAlpha::lie_alpha_stab2().id(),
        GeneralizedAlpha::ul_crv().id(),
        GeneralizedAlpha::ul_rotation_vector().id(),
        GeneralizedAlpha::ul_cayley().id(),
    ]);
    assert_eq!(GeneralizedAlpha::simo_vu_quoc().parameters().shift(), 0.0);
    constructed.push("simo_vu_quoc");
    // Families of one method and its variants, and a method with a parameter of its own.
    constructed.extend([
        TrBdf2::new().id(),
        TrBdf2::third_order().id(),
        TrBdf2::configuration().id(),
        Rattlie::ID,
        MoreauJean::ID,
        SymplecticLieGroup::new(0.3).unwrap().id(),
    ]);
    let mut listed = listed();
    listed.sort_unstable();
    constructed.sort_unstable();
    assert_eq!(constructed, listed);
}

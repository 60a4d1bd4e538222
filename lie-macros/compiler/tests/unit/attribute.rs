//! Tests of `syntax::role::attribute`.

use super::{Keyword, Recognised, recognise};

#[test]
fn other_attributes_are_ignored() {
    let attribute: syn::Attribute = syn::parse_quote!(#[allow(dead_code)]);
    assert!(matches!(recognise(&attribute), Recognised::Foreign));
    let attribute: syn::Attribute = syn::parse_quote!(#[tokio::main]);
    assert!(matches!(recognise(&attribute), Recognised::Foreign));
    let attribute: syn::Attribute = syn::parse_quote!(#[constrain]);
    assert!(matches!(recognise(&attribute), Recognised::Misspelt(Keyword::Constraint)));
}

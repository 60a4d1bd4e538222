//! The module of a declaration.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Fields, Item, ItemMod, ItemStruct, Type};

use crate::workspace::Declaration;

/// The items of a declaration that a system needs.
struct Items {
    structs: Vec<ItemStruct>,
    /// The names of the chains, connections and parents.
    lengths: Vec<String>,
}

fn has_role(item: &ItemStruct, role: &str) -> bool {
    item.attrs.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == role))
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Vec"))
}

/// Adds the names of connections, `.by(name)`, and of parents, `parents = name`, in attributes.
fn add_names(tokens: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let name = match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(word), Some(TokenTree::Group(group)), _) if word == "by" => {
                Some(group.stream().to_string())
            }
            (TokenTree::Ident(word), Some(TokenTree::Punct(sign)), Some(TokenTree::Ident(name)))
                if word == "parents" && sign.as_char() == '=' =>
            {
                Some(name.to_string())
            }
            _ => None,
        };
        names.extend(name);
        if let TokenTree::Group(group) = token {
            add_names(group.stream(), names);
        }
    }
}

impl Items {
    fn of(module: &mut ItemMod) -> Self {
        let (_, items) = module.content.as_mut().expect("the module has items");
        let (mut structs, mut lengths) = (vec![], vec![]);
        for item in items {
            match item {
                Item::Struct(own) => {
                    own.vis = syn::parse_quote!(pub);
                    own.fields.iter_mut().for_each(|field| field.vis = syn::parse_quote!(pub));
                    if has_role(own, "configuration") {
                        let fields = own.fields.iter().filter(|field| is_list(&field.ty));
                        lengths.extend(fields.map(|field| field.ident.to_token_stream().to_string()));
                    }
                    structs.push(own.clone());
                }
                Item::Fn(function) => {
                    function.attrs.iter().for_each(|attribute| add_names(attribute.to_token_stream(), &mut lengths));
                }
                _ => {}
            }
        }
        lengths.sort();
        lengths.dedup();
        Items { structs, lengths }
    }

    fn with_role(&self, role: &str) -> Option<&ItemStruct> {
        self.structs.iter().find(|item| has_role(item, role))
    }
}

/// Returns the implementation of `Sample` for a struct with named fields.
fn sample(name: &TokenStream, item: &ItemStruct) -> Option<TokenStream> {
    let Fields::Named(fields) = &item.fields else { return None };
    if !item.generics.params.is_empty() {
        return None;
    }
    let ident = &item.ident;
    let fields = fields.named.iter().map(|field| {
        let name = field.ident.as_ref().expect("fields are named");
        let text = name.to_string();
        let text = text.trim_start_matches("r#");
        quote!(#name: super::Sample::sample(source, &super::joined(path, #text)))
    });
    Some(quote! {
        impl super::Sample for #name::#ident {
            fn sample(source: &mut super::Source, path: &str) -> Self {
                #name::#ident { #(#fields),* }
            }
        }
    })
}

/// Returns the module of a declaration.
pub fn module(declaration: &Declaration) -> String {
    let Declaration { file, system } = declaration;
    let mut module: ItemMod = syn::parse2(system.module.clone()).unwrap_or_else(|error| panic!("{file}: {error}"));
    let items = Items::of(&mut module);
    module.vis = syn::parse_quote!(pub);
    let (arguments, name) = (&system.arguments, &module.ident.to_token_stream());
    let source = quote!(#[mechanical_system(#arguments)] #module).to_string();
    let samples = items.structs.iter().filter_map(|item| sample(name, item));
    let of_role = |role: &str| items.with_role(role).map(|item| &item.ident);
    let configuration = of_role("configuration").expect("a declaration has a configuration");
    let parameters = of_role("parameters")
        .map(|ident| quote!({ let parameters: #name::#ident = super::Sample::sample(source, ""); parameters },));
    let lengths = (!items.lengths.is_empty()).then(|| {
        let names = items.lengths.iter().map(|length| format_ident!("{length}"));
        let texts = &items.lengths;
        quote!(#name::Lengths { #(#names: super::Length::length(source, #texts)),* })
    });
    let inputs = of_role("inputs").map(|ident| {
        quote!(.with_inputs_from({
            let inputs: #name::#ident = super::Sample::sample(source, "inputs");
            lie_runtime::inputs::Constant(inputs)
        }))
    });
    // The name of the test is the file and the name of the declaration.
    let place = file.trim_end_matches(".rs").replace(|character: char| !character.is_alphanumeric(), "_");
    let own = format_ident!("{place}_{}", system.name);
    let name_of_test = own.to_string();
    quote! {
        // The files of the declarations have the lints.
        #[allow(warnings, clippy::all, clippy::pedantic)]
        mod #own {
            use lie_runtime::prelude::*;
            use lie_runtime::nalgebra;

            #[lie_runtime::mechanical_system(#arguments)]
            #module

            #(#samples)*

            fn sampled(source: &mut super::Source) -> Result<super::Sampled, lie_runtime::system::ModelError> {
                let system = #name::System::new(#parameters #lengths)? #inputs;
                let q: #name::#configuration = super::Sample::sample(source, "configuration");
                Ok(super::Sampled::new(&system, q.into()))
            }

            #[test]
            fn agrees() {
                super::agree(&super::Declared { name: #name_of_test, text: #source, sampled });
            }
        }
    }
    .to_string()
        + "\n"
}

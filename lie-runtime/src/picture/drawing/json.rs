//! JSON texts of animations. A writer of these few types compiles in a hundredth of the time of a general library.

use core::fmt;

/// A JSON value.
#[derive(Clone, Debug)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Integer(usize),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// Returns an object with these entries, in this order.
pub(super) fn object<const N: usize>(entries: [(&'static str, Json); N]) -> Json {
    Json::Object(entries.into())
}

impl Json {
    /// Appends an entry to an object.
    pub fn set(&mut self, key: &'static str, value: impl Into<Json>) {
        if let Json::Object(entries) = self {
            entries.push((key, value.into()));
        }
    }
}

/// Conversions of simple types.
macro_rules! conversions {
    ($($from:ty: $value:ident => $json:expr;)*) => {
        $(impl From<$from> for Json {
            fn from($value: $from) -> Self {
                $json
            }
        })*
    };
}

conversions! {
    bool: value => Json::Bool(value);
    usize: value => Json::Integer(value);
    u32: value => Json::Integer(value as usize);
    f64: value => Json::Number(value);
    f32: value => Json::Number(value.into());
    &str: value => Json::Text(value.to_owned());
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(list: Vec<T>) -> Self {
        Json::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Json>, const N: usize> From<[T; N]> for Json {
    fn from(list: [T; N]) -> Self {
        Json::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Bool(value) => write!(f, "{value}"),
            Json::Integer(value) => write!(f, "{value}"),
            // The shortest decimal representation that is parsed to the same number.
            Json::Number(value) if value.is_finite() => write!(f, "{value:?}"),
            Json::Null | Json::Number(_) => f.write_str("null"),
            Json::Text(text) => quoted(text, f),
            Json::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if index == 0 { '[' } else { ',' })?;
                }
                f.write_str(if list.is_empty() { "[]" } else { "]" })
            }
            Json::Object(entries) => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}\"{key}\":{value}", if index == 0 { '{' } else { ',' })?;
                }
                f.write_str(if entries.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

/// Writes a string with its quotes.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            letter if u32::from(letter) < 0x20 => write!(f, "\\u{:04x}", u32::from(letter))?,
            letter => write!(f, "{letter}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_back() {
        let text = "the \"end\" \\ \n é </script>";
        let mut value = object([
            ("none", None::<f64>.into()),
            ("list", vec![0.1, -3.0, 1e-9, 1e300].into()),
            ("nested", vec![[1_usize, 2], [3, 4]].into()),
            ("text", text.into()),
            ("empty", Vec::<f64>::new().into()),
        ]);
        value.set("flag", true);
        let read: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
        let expected = serde_json::json!({
            "none": null, "list": [0.1, -3.0, 1e-9, 1e300], "nested": [[1, 2], [3, 4]], "text": text, "empty": [], "flag": true,
        });
        assert_eq!(read, expected);
    }
}

pub(crate) fn closest<'a>(_name: &str, _known: impl Iterator<Item = &'a str>) -> Option<&'a str> { None }

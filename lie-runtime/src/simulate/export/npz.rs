//! NPZ archives: arrays in NumPy's format 1.0, stored in a ZIP archive.
//!
//! An array consists of a text header and the values in memory order; the header is padded to a multiple of 64 bytes (documentation of
//! `numpy.lib.format`). An archive consists of the files, each with its own header, and a directory at the end (PKWARE's APPNOTE, sections
//! 4.3.7 to 4.3.16). Files are not compressed because digits of measured values hardly compress. Sizes and offsets above 4 GiB are stored
//! in ZIP64 extra fields (section 4.5.3). Other archives have no extra fields, so that simple readers can open them.

use std::io::{self, Write};

/// An array of an NPZ file: one entry per record, or a single entry.
pub(crate) struct Array {
    pub name: String,
    /// The shape of one entry; empty for a scalar.
    pub shape: Vec<u64>,
    pub entries: Vec<f64>,
}

/// The magic string and the version 1.0.
const NPY: &[u8] = b"\x93NUMPY\x01\x00";
/// Numbers from this limit on are stored in the extra field.
const ELSEWHERE: u64 = 0xffff_ffff;
/// The required versions of the ZIP format: 2.0, and 4.5 with ZIP64.
const PLAIN: u16 = 20;
const LARGE: u16 = 45;
/// The first of January 1980, the earliest possible date. Archives of equal trajectories are therefore equal.
const DATE: u16 = 1 << 5 | 1;

/// Returns the header of an array of `f64` values in row-major order.
fn header(shape: &[u64]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    // A tuple with one entry has a trailing comma.
    let sizes = if let [size] = &sizes[..] { format!("{size},") } else { sizes.join(", ") };
    let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({sizes}), }}");
    let length = (NPY.len() + 2 + text.len() + 1).next_multiple_of(64) - NPY.len() - 2;
    text = format!("{text:<width$}\n", width = length - 1);
    // A shape has as many entries as a value has levels, so that the text is far shorter than 65 535 bytes.
    let length = u16::try_from(length).unwrap_or(u16::MAX);
    [NPY, &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Computes the cyclic redundancy check of ZIP: polynomial 0xedb88320, bits reversed.
fn checksum(bytes: impl IntoIterator<Item = u8>) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte: u32 = 0;
        while byte < 256 {
            let mut remainder = byte;
            let mut bit = 0;
            while bit < 8 {
                remainder = if remainder & 1 == 1 { 0xedb8_8320 ^ (remainder >> 1) } else { remainder >> 1 };
                bit += 1;
            }
            table[byte as usize] = remainder;
            byte += 1;
        }
        table
    };
    !bytes.into_iter().fold(!0, |check, byte| (check >> 8) ^ TABLE[usize::from(check.to_le_bytes()[0] ^ byte)])
}

/// A file of the archive.
struct File {
    name: String,
    check: u32,
    size: u64,
    /// The offset of its header.
    offset: u64,
}

/// Returns the lower four bytes of a number, or the mark of the extra field.
fn short(number: u64) -> [u8; 4] {
    u32::try_from(number.min(ELSEWHERE)).unwrap_or(u32::MAX).to_le_bytes()
}

impl File {
    /// Returns the common bytes of its header and its directory entry, from the required version to the sizes.
    fn common(&self, is_large: bool, extra: &[u8]) -> Vec<u8> {
        let version = if is_large { LARGE } else { PLAIN };
        let mut bytes = Vec::new();
        // Names that are not ASCII are UTF-8 (section 4.4.4, bit 11). The method is "stored", the time midnight.
        let flags = if self.name.is_ascii() { 0 } else { 1 << 11 };
        for number in [version, flags, 0, 0, DATE] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.check.to_le_bytes());
        bytes.extend(short(self.size));
        bytes.extend(short(self.size));
        for length in [self.name.len(), extra.len()] {
            // Names of members, functions and parts.
            bytes.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
        }
        bytes
    }

    /// Returns the extra field with the numbers that exceed four bytes.
    fn extra(numbers: &[u64]) -> Vec<u8> {
        let large: Vec<u8> =
            numbers.iter().filter(|&&number| number >= ELSEWHERE).flat_map(|number| number.to_le_bytes()).collect();
        match u16::try_from(large.len()) {
            Ok(0) | Err(_) => Vec::new(),
            Ok(length) => [&1_u16.to_le_bytes()[..], &length.to_le_bytes(), &large].concat(),
        }
    }

    /// Returns the header before its bytes.
    fn local_header(&self) -> Vec<u8> {
        let extra = Self::extra(&[self.size, self.size]);
        [b"PK\x03\x04", &self.common(!extra.is_empty(), &extra)[..], self.name.as_bytes(), &extra].concat()
    }

    /// Returns its entry in the directory.
    fn entry(&self) -> Vec<u8> {
        let extra = Self::extra(&[self.size, self.size, self.offset]);
        let version = if extra.is_empty() { PLAIN } else { LARGE };
        let mut bytes = [b"PK\x01\x02", &version.to_le_bytes()[..], &self.common(!extra.is_empty(), &extra)].concat();
        // No comment, the first disk, no attributes.
        bytes.extend([0; 10]);
        bytes.extend(short(self.offset));
        [&bytes[..], self.name.as_bytes(), &extra].concat()
    }
}

/// Returns the directory, which begins at `offset`, and the end of the archive.
fn directory(files: &[File], offset: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = files.iter().flat_map(File::entry).collect();
    let (count, size) = (files.len() as u64, bytes.len() as u64);
    if count >= 0xffff || size >= ELSEWHERE || offset >= ELSEWHERE {
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([LARGE, LARGE].map(u16::to_le_bytes).concat());
        bytes.extend([0; 8]);
        bytes.extend([count, count, size, offset].map(u64::to_le_bytes).concat());
        // The offset of this record, on the only disk.
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend((offset + size).to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
    }
    let count = u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].concat());
    bytes.extend([short(size), short(offset)].concat());
    bytes.extend([0; 2]);
    bytes
}

/// Writes `arrays`, each with one entry per record if `count` is the number of records.
pub(super) fn write(arrays: &[Array], count: Option<u64>, writer: &mut dyn Write) -> io::Result<()> {
    let mut files: Vec<File> = Vec::new();
    let mut offset = 0;
    for array in arrays {
        let shape: Vec<u64> = count.into_iter().chain(array.shape.iter().copied()).collect();
        let head = header(&shape);
        let numbers = || array.entries.iter().flat_map(|number| number.to_le_bytes());
        let check = checksum(head.iter().copied().chain(numbers()));
        let size = head.len() as u64 + 8 * array.entries.len() as u64;
        let file = File { name: format!("{}.npy", array.name), check, size, offset };
        let local = file.local_header();
        writer.write_all(&local)?;
        writer.write_all(&head)?;
        for number in &array.entries {
            writer.write_all(&number.to_le_bytes())?;
        }
        offset += local.len() as u64 + size;
        files.push(file);
    }
    writer.write_all(&directory(&files, offset))?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header that NumPy 2 writes for `numpy.zeros((6, 3, 3))`, and headers of one axis and of one entry.
    #[test]
    fn headers_follow_the_format() {
        let text = |shape: &[u64]| {
            let bytes = header(shape);
            assert!(bytes.starts_with(NPY) && bytes.len().is_multiple_of(64) && bytes.ends_with(b" \n"));
            let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            assert_eq!(length, bytes.len() - 10);
            String::from_utf8(bytes[10..].to_vec()).unwrap().trim_end().to_owned()
        };
        assert_eq!(text(&[6, 3, 3]), "{'descr': '<f8', 'fortran_order': False, 'shape': (6, 3, 3), }");
        assert_eq!(text(&[6]), "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }");
        assert_eq!(header(&[6, 3, 3]).len(), 128);
    }

    /// The check value in catalogues of such polynomials.
    #[test]
    fn checksums() {
        assert_eq!(checksum(*b"123456789"), 0xcbf4_3926);
        assert_eq!(checksum(*b""), 0);
    }

    /// Numbers below the limit need four bytes; larger numbers are in the extra fields, in order.
    #[test]
    fn large_numbers_are_in_extra_fields() {
        let file = |size, offset| File { name: "t.npy".to_owned(), check: 7, size, offset };
        let small = file(ELSEWHERE - 1, 9);
        assert_eq!((small.local_header().len(), small.entry().len()), (30 + 5, 46 + 5));
        assert_eq!(small.local_header()[18..22], [0xfe, 0xff, 0xff, 0xff]);

        let large = file(1 << 33, 1 << 34);
        let local = large.local_header();
        assert_eq!(local[4..6], LARGE.to_le_bytes());
        assert_eq!(local[18..26], [0xff; 8]);
        assert_eq!(local[35..39], [1, 0, 16, 0]);
        assert_eq!(local[39..55], [1_u64 << 33; 2].map(u64::to_le_bytes).concat());
        assert_eq!(
            large.entry()[51..79],
            [&[1, 0, 24, 0][..], &[1_u64 << 33, 1 << 33, 1 << 34].map(u64::to_le_bytes).concat()].concat()
        );

        let far = file(9, 1 << 34);
        assert_eq!(far.local_header().len(), 35);
        assert_eq!(far.entry()[42..46], [0xff; 4]);
        assert_eq!(far.entry()[51..], [&[1, 0, 8, 0][..], &(1_u64 << 34).to_le_bytes()].concat());

        let end = directory(&[far], (1 << 34) + 44);
        let record = 63;
        assert_eq!(end[record..record + 4], *b"PK\x06\x06");
        assert_eq!(end[record + 24..record + 56], [1_u64, 1, 63, (1 << 34) + 44].map(u64::to_le_bytes).concat());
        assert_eq!(end[record + 56..record + 64], *b"PK\x06\x07\0\0\0\0");
        assert_eq!(end[record + 64..record + 72], ((1_u64 << 34) + 44 + 63).to_le_bytes());
        assert_eq!(end.len(), record + 56 + 20 + 22);
    }
}

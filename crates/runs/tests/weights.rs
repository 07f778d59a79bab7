//! Heaps as files. A file that was written can be read again, by this program and by the crate `safetensors`; a file that does not fit is
//! rejected in words.

use fletch_runs::weights;
use fletch_smooth::{Shape, Tensor};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};

#[test]
fn a_file_has_every_location_and_is_read_again_to_the_bit() {
    let cells: Vec<(String, Tensor)> = vec![
        ("ℓ0".to_owned(), Tensor::vector(vec![0.1, -0.0, 1e-300])),
        ("velocity[ℓ0]".to_owned(), Tensor::vector(vec![f64::MAX])),
    ];
    let bytes = weights::written(&cells).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let tensor = file.tensor("ℓ0").unwrap();
    assert_eq!((tensor.dtype(), tensor.shape()), (Dtype::F64, &[3][..]));
    let read = weights::read("h", &bytes, &cells).unwrap();
    let bits = |cells: &[(String, Tensor)]| -> Vec<u64> {
        let entries = cells.iter().flat_map(|(_, cell)| cell.data());
        entries.map(|entry| entry.to_bits()).collect()
    };
    assert_eq!(bits(&read.cells), bits(&cells));
    assert!(read.missing.is_empty());
    // A location that the file does not name is reported as missing; a tensor of another shape or name is rejected.
    let part = weights::written(&cells[..1]).unwrap();
    assert_eq!(
        weights::read("h", &part, &cells).unwrap().missing,
        ["velocity[ℓ0]"]
    );
    let other = [("ℓ0".to_owned(), Tensor::vector(vec![0.0]))];
    let why = weights::read("h", &part, &other).unwrap_err();
    assert!(
        why.contains("`ℓ0` of shape 3, and the program of shape 1"),
        "{why}"
    );
    let why = weights::read("h", &bytes, &cells[..1]).unwrap_err();
    assert!(
        why.contains("`velocity[ℓ0]`, which is no location of the program: it uses `ℓ0`"),
        "{why}"
    );
    assert!(
        weights::read("h", b"text", &cells)
            .unwrap_err()
            .contains("no safetensors file")
    );
}

/// A file of one tensor.
fn file(name: &str, dtype: Dtype, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let view = TensorView::new(dtype, shape.to_vec(), bytes).unwrap();
    serialize([(name, view)], None).unwrap()
}

#[test]
fn locations_may_be_called_like_keys_of_the_format() {
    let names = [
        "__metadata__",
        "__metadata__'",
        "dtype",
        "shape",
        "data_offsets",
        "__proto__",
        "constructor",
        "F64",
        "a[__metadata__]",
    ];
    let cells: Vec<(String, Tensor)> = (1..)
        .map(|number| Tensor::vector(vec![f64::from(number)]))
        .zip(names)
        .map(|(cell, name)| (name.to_owned(), cell))
        .collect();
    let bytes = weights::written(&cells).unwrap();
    let read = weights::read("h", &bytes, &cells).unwrap();
    assert_eq!((read.cells, read.missing), (cells.clone(), Vec::new()));
    // Metadata that another tool wrote is no location.
    let note = [("by".to_owned(), "someone".to_owned())];
    let view = TensorView::new(Dtype::F64, vec![1], &[0; 8]).unwrap();
    let other = serialize([("shape", view)], Some(note.into())).unwrap();
    let missing = weights::read("h", &other, &cells).unwrap().missing;
    assert_eq!(missing.len(), cells.len() - 1);
}

#[test]
fn names_in_a_file_are_compared_in_nfc() {
    let cells = vec![("Größe".to_owned(), Tensor::vector(vec![0.0]))];
    let one = 1.0_f64.to_le_bytes();
    for name in ["Größe", "Gro\u{308}ße"] {
        let read = weights::read("h", &file(name, Dtype::F64, &[1], &one), &cells).unwrap();
        assert_eq!(read.cells[0].1.data(), [1.0], "{name}");
    }
    let view = || TensorView::new(Dtype::F64, vec![1], &one).unwrap();
    let both = serialize([("Größe", view()), ("Gro\u{308}ße", view())], None).unwrap();
    let why = weights::read("h", &both, &cells).unwrap_err();
    assert!(why.starts_with("h has `Größe` twice"), "{why}");
}

#[test]
fn numbers_of_sixteen_bits_and_without_dimensions_are_read() {
    let cells = vec![("w".to_owned(), Tensor::vector(vec![0.0]))];
    let read = |dtype, shape: &[usize], bytes: &[u8]| {
        let read = weights::read("h", &file("w", dtype, shape, bytes), &cells)?;
        Ok::<f64, String>(read.cells[0].1.data()[0])
    };
    let largest = 65504.0;
    for (bits, expected) in [
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x3555, 0.333_251_953_125),
        (0x7bff, largest),
        (0x0001, 5.960_464_477_539_063e-8),
        (0x83ff, -6.097_555_160_522_461e-5),
        (0x0400, 6.103_515_625e-5),
        (0x8000, -0.0),
        (0x7c00, f64::INFINITY),
        (0xfc00, f64::NEG_INFINITY),
    ] {
        let found = read(Dtype::F16, &[1], &u16::to_le_bytes(bits)).unwrap();
        assert_eq!(found.to_bits(), f64::to_bits(expected), "{bits:x}");
    }
    assert!(read(Dtype::F16, &[1], &[0x01, 0x7e]).unwrap().is_nan());
    for (bits, expected) in [
        (0x3f80, 1.0),
        (0xc049, -3.140_625),
        (0xff80, f64::NEG_INFINITY),
    ] {
        let found = read(Dtype::BF16, &[], &u16::to_le_bytes(bits)).unwrap();
        assert_eq!(found.to_bits(), f64::to_bits(expected), "{bits:x}");
    }
    assert_eq!(read(Dtype::F32, &[], &1.5_f32.to_le_bytes()), Ok(1.5));
    let why = read(Dtype::I64, &[], &[0; 8]).unwrap_err();
    assert!(why.contains("as I64: only F64, F32, F16 and BF16"), "{why}");
    // A tensor without dimensions is read for a matrix of one entry, and for nothing larger.
    let matrix = Tensor::new(Shape::new(vec![1, 1]), vec![0.0]).unwrap();
    let scalar = file("m", Dtype::F64, &[], &2.0_f64.to_le_bytes());
    let m = [("m".to_owned(), matrix)];
    assert_eq!(
        weights::read("h", &scalar, &m).unwrap().cells[0].1.data(),
        [2.0]
    );
    let pair = [("m".to_owned(), Tensor::vector(vec![0.0; 2]))];
    let why = weights::read("h", &scalar, &pair).unwrap_err();
    assert!(
        why.contains("of shape [], and the program of shape 2"),
        "{why}"
    );
}

//! Animations in a real browser: `cargo test -p studies --features thorough --test runs browser -- --ignored`, with chromium installed or
//! with another browser of that family named by `BROWSER`.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::figure::{Animation, MovingLine};

/// The size of the window.
const WINDOW: [usize; 2] = [1000, 700];
/// The first of the colours, in which the line is drawn.
const BLUE: [u8; 3] = [0x00, 0x72, 0xB2];

/// A rod of 2 m that flies 40 m away.
fn flight() -> Animation {
    let times: Vec<f64> = (0..=100).map(|frame| 0.02 * f64::from(frame)).collect();
    let points =
        times.iter().map(|t| [-1.0, 0.0, 1.0].map(|x: f64| [x + 20.0 * t, 0.3 * x, 0.1 * t]).to_vec()).collect();
    Animation {
        title: "Flight".to_owned(),
        eye: [-90.0, 20.0],
        times,
        lines: vec![MovingLine { label: "rod".to_owned(), style: 0, trail: Some(0), points }],
        ..Animation::default()
    }
}

/// Left, top, right and bottom of the drawing in the colour of the line.
fn extent_of_line(page: &Path, picture: &Path) -> [usize; 4] {
    let browser = std::env::var_os("BROWSER").unwrap_or_else(|| "chromium".into());
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .arg(format!("--window-size={},{}", WINDOW[0], WINDOW[1]))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = BufReader::new(File::open(picture).expect("the browser makes a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let frame = reader.next_frame(&mut pixels).expect("a frame");
    let samples = frame.color_type.samples();
    let mut extent = [usize::MAX, usize::MAX, 0, 0];
    for (index, pixel) in pixels[..frame.buffer_size()].chunks_exact(samples).enumerate() {
        let (x, y) = (index % frame.width as usize, index / frame.width as usize);
        // The legend above and the controls below are not the view.
        if pixel[..3] == BLUE && (60..WINDOW[1] - 60).contains(&y) {
            extent = [extent[0].min(x), extent[1].min(y), extent[2].max(x), extent[3].max(y)];
        }
    }
    extent
}

/// The first frame is drawn, and the rod fills the view though it flies far away.
#[test]
#[ignore = "needs a browser"]
fn the_first_frame_fills_the_view() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let _ = fs::remove_dir_all(&folder);
    let page = flight().save(&folder, "flight").expect("a page");
    let [left, _, right, _] = extent_of_line(&page, &folder.join("flight.png"));
    assert!(right > left, "nothing is drawn");
    assert!(right - left > WINDOW[0] * 7 / 10, "from {left} to {right}");
    let middle = usize::midpoint(left, right);
    assert!(middle.abs_diff(WINDOW[0] / 2) < 30, "the middle is at {middle}");
}

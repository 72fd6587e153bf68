package corfu.cli.silver;

import corfu.silver.SilverFileSystem;
import corfu.silver.ship.TreeWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;

/** Reads a version of a file system as an archive, while another thread writes it. */
final class ShipmentPipe implements AutoCloseable {

  private static final int PIPE_BYTES = 1 << 20;

  private final SilverFileSystem files;
  private final PipedInputStream in = new PipedInputStream(PIPE_BYTES);

  /**
   * @param files a version of the past
   */
  ShipmentPipe(SilverFileSystem files) {
    this.files = files;
  }

  InputStream open() {
    try {
      var out = new PipedOutputStream(in);
      Thread.ofVirtual().name("silver shipment").start(() -> write(out));
      return in;
    } catch (IOException impossible) {
      throw new UncheckedIOException("the pipe has a writer already", impossible);
    }
  }

  /** A failure cuts the archive off, which its reader reports. */
  private void write(PipedOutputStream out) {
    try (out) {
      var unused = TreeWriter.write(files, out, names -> {});
    } catch (IOException cut) {
      // the reader sees that the archive has no end, or has ended itself
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException("a pipe cannot be closed", impossible);
    }
  }
}

package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The body of a response. It is written in pieces, so that a large body needs little memory. */
interface ResponseBody {

  /** Returns the length in bytes. */
  long length();

  void writeTo(OutputStream to) throws IOException;

  /** Bytes that are in memory. */
  static ResponseBody of(ByteBuffer bytes) {
    return new Bytes(bytes);
  }

  static ResponseBody of(String text) {
    return new Bytes(UTF_8.encode(text));
  }

  /** A source that writes the same JSON each time. */
  @FunctionalInterface
  interface Writer {
    void write(JsonGenerator to) throws IOException;
  }

  /**
   * Returns JSON with an end of line. Small JSON is kept; large JSON is generated again when it is
   * written.
   */
  static ResponseBody json(JsonFactory factory, Writer writer) {
    ResponseBody large = new Generated(factory, writer);
    Counter counter = new Counter();
    try {
      large.writeTo(counter);
    } catch (IOException impossible) {
      throw new IllegalStateException("cannot write JSON to memory", impossible);
    }
    return counter.length <= Counter.KEPT
        ? of(ByteBuffer.wrap(counter.beginning.toByteArray()))
        : new Measured(counter.length, large);
  }

  /** Bytes that are in memory. */
  record Bytes(ByteBuffer bytes) implements ResponseBody {
    private static final int PIECE = 16 << 10;

    @Override
    public long length() {
      return bytes.remaining();
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
      ByteBuffer from = bytes.duplicate();
      byte[] piece = new byte[Math.min(PIECE, from.remaining())];
      while (from.hasRemaining()) {
        int size = Math.min(piece.length, from.remaining());
        from.get(piece, 0, size);
        to.write(piece, 0, size);
      }
    }
  }

  /** JSON that is generated while it is written. */
  record Generated(JsonFactory factory, Writer writer) implements ResponseBody {
    @Override
    public long length() {
      throw new UnsupportedOperationException("the length is unknown before the body is written");
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
      try (JsonGenerator generator = factory.createGenerator(to)) {
        writer.write(generator);
      }
      to.write('\n');
    }
  }

  /** A body with a known length. */
  record Measured(long length, ResponseBody content) implements ResponseBody {
    @Override
    public void writeTo(OutputStream to) throws IOException {
      content.writeTo(to);
    }
  }

  /** Counts bytes, and keeps the first of them. */
  final class Counter extends OutputStream {
    private static final int KEPT = 64 << 10;

    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private long length;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int count) {
      if (length + count <= KEPT) {
        beginning.write(from, offset, count);
      }
      length += count;
    }
  }
}

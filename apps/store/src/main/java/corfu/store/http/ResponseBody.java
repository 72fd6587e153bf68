package corfu.store.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The body of a reply. It is written in pieces, so that a large one needs no memory of its own. */
interface ResponseBody {

  /** In bytes. */
  long length();

  void writeTo(OutputStream to) throws IOException;

  /** Bytes that are in memory. */
  static ResponseBody of(ByteBuffer bytes) {
    return new Bytes(bytes);
  }

  static ResponseBody of(String text) {
    return new Bytes(UTF_8.encode(text));
  }

  /** Something that writes the same JSON each time. */
  @FunctionalInterface
  interface Writer {
    void write(JsonGenerator to) throws IOException;
  }

  /** JSON with a line's end: kept where it is small, and written once more where it is not. */
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

  /** JSON that is made while it is written. */
  record Generated(JsonFactory factory, Writer writer) implements ResponseBody {
    @Override
    public long length() {
      throw new UnsupportedOperationException("not known before it has been written");
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
      try (JsonGenerator generator = factory.createGenerator(to)) {
        writer.write(generator);
      }
      to.write('\n');
    }
  }

  /** One whose length has been found out. */
  record Measured(long length, ResponseBody content) implements ResponseBody {
    @Override
    public void writeTo(OutputStream to) throws IOException {
      content.writeTo(to);
    }
  }

  /** Counts what is written, and keeps its beginning. */
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

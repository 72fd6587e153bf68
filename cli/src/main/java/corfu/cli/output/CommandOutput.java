package corfu.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The output of a command: lines for people, or one JSON object a line for scripts. It is buffered
 * until {@link #flush} or {@link #close}. Not thread-safe.
 *
 * <p>Every method throws {@link OutputClosedException} if the reader of the output has gone.
 */
public final class CommandOutput implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final JsonFactory JSON = new JsonFactory();

  private final OutputStream out;
  private final JsonGenerator json;

  public CommandOutput(OutputStream target) {
    out = new BufferedOutputStream(target, BUFFER_BYTES);
    try {
      json = JSON.createGenerator(out);
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setRootValueSeparator(new SerializedString(""));
  }

  /** Writes the members of an object. */
  @FunctionalInterface
  public interface Members {
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Writes one object on a line of its own. */
  public void json(Members members) {
    try {
      json.writeStartObject();
      members.writeTo(json);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
  }

  public void line(String text) {
    text(text + "\n");
  }

  /** Writes text without an end of line. */
  public void text(String text) {
    bytes(StandardCharsets.UTF_8.encode(text));
  }

  /** Writes bytes unchanged. */
  public void bytes(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    bytes(copy);
  }

  private void bytes(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
  }

  public void flush() {
    try {
      json.flush();
      out.flush();
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
  }

  /** Flushes the output; the underlying stream stays open. */
  @Override
  public void close() {
    flush();
  }
}

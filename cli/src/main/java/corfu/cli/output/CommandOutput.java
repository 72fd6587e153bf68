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
 * A command's result: lines for people, or an object a line for scripts. Buffered; what was written
 * is visible after {@link #flush} or {@link #close}. Not thread-safe.
 *
 * <p>Every method throws {@link OutputClosedException} when nobody reads any more.
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

  /** One object, on a line of its own. */
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

  /** Text without an end of line. */
  public void text(String text) {
    bytes(StandardCharsets.UTF_8.encode(text));
  }

  /** These bytes as they are. */
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

  /** Flushes; the stream behind stays open. */
  @Override
  public void close() {
    flush();
  }
}

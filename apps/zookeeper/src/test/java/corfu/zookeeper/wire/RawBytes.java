package corfu.zookeeper.wire;

import java.io.IOException;
import org.apache.jute.InputArchive;
import org.apache.jute.OutputArchive;
import org.apache.jute.Record;

/**
 * Any bytes in the place of a record.
 *
 * @param bytes the bytes, of any length
 */
public record RawBytes(byte[] bytes) implements Record {

  /** No body at all. */
  public static final RawBytes NONE = new RawBytes(new byte[0]);

  @Override
  public void serialize(OutputArchive archive, String tag) throws IOException {
    for (byte each : bytes) {
      archive.writeByte(each, tag);
    }
  }

  @Override
  public void deserialize(InputArchive archive, String tag) {
    throw new UnsupportedOperationException("Clients only send this record");
  }
}

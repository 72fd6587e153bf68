package corfu.zookeeper.wire;

import java.io.IOException;
import java.util.List;
import org.apache.jute.InputArchive;
import org.apache.jute.OutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.proto.MultiHeader;

/**
 * The body of a multi request. Other than ZooKeeper's own class it checks nothing.
 *
 * @param parts the operations in order
 */
public record RawMulti(List<Part> parts) implements Record {

  /**
   * An operation of a multi request.
   *
   * @param operation the operation code
   * @param body the record after its header
   */
  public record Part(int operation, Record body) {}

  @Override
  public void serialize(OutputArchive archive, String tag) throws IOException {
    for (Part part : parts) {
      new MultiHeader(part.operation(), false, -1).serialize(archive, tag);
      part.body().serialize(archive, tag);
    }
    new MultiHeader(-1, true, -1).serialize(archive, tag);
  }

  @Override
  public void deserialize(InputArchive archive, String tag) {
    throw new UnsupportedOperationException("Clients only send this record");
  }
}

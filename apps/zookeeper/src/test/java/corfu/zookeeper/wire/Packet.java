package corfu.zookeeper.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.proto.ReplyHeader;

/**
 * A reply or a watch event of a server.
 *
 * @param xid the xid of the request, or -1 if this is a watch event
 * @param zxid the server's newest zxid
 * @param error the error code, or 0
 * @param body the bytes after the header
 */
public record Packet(int xid, long zxid, int error, byte[] body) {

  private static final int EVENT_XID = -1;

  static Packet of(byte[] bytes) throws IOException {
    var in = new ByteArrayInputStream(bytes);
    var header = new ReplyHeader();
    header.deserialize(BinaryInputArchive.getArchive(in), "header");
    return new Packet(header.getXid(), header.getZxid(), header.getErr(), in.readAllBytes());
  }

  /** Returns whether this is a watch event. */
  public boolean isEvent() {
    return xid == EVENT_XID;
  }

  /**
   * Reads the body into the record.
   *
   * @return the record
   * @throws IOException if the body does not have the record's format, or is longer than it
   */
  public <R extends Record> R read(R record) throws IOException {
    var in = new ByteArrayInputStream(body);
    record.deserialize(BinaryInputArchive.getArchive(in), "body");
    if (in.available() > 0) {
      throw new IOException(in.available() + " bytes too many after " + record);
    }
    return record;
  }
}

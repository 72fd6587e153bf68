package corfu.roles.layout;

import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import corfu.world.Disk;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/**
 * Where a layout server's state outlives it. The file is the shortest history that leads to the
 * state, as requests in the frames of the wire protocol. Little-endian.
 *
 * <pre>
 *   0        4        8                16               24
 *   +--------+--------+----------------+----------------+------------------ - -
 *   | crc32c | length | magic, version | incarnation    | Learn, then for each open epoch
 *   +--------+--------+----------------+----------------+ Accept and Prepare  - -
 * </pre>
 *
 * {@code length} counts the whole file; the checksum covers everything behind it. A state is
 * written as a new file that replaces the old one by its name once it is durable, so that a crash
 * leaves one or the other. Not thread-safe.
 */
final class LayoutFile {

  static final String NAME = "layout";
  static final String NEW_NAME = "layout.new";

  private static final int CHECKED_FROM = 4;
  private static final int INCARNATION_AT = 16;
  private static final int HEADER_BYTES = 24;
  private static final int MAX_BYTES = 1 << 30;
  private static final long MAGIC = 0x3254554f59414c43L; // "CLAYOUT2", the digit being the version

  private final Disk disk;

  LayoutFile(Disk disk) {
    this.disk = disk;
  }

  /**
   * Reads the state. Where there is no file, begins a new life of the disk: that of a blank server,
   * with an incarnation that is durable before anybody can hear of it.
   *
   * @throws DamagedLayoutFileException if there is a file, but not as it was written
   */
  LayoutState loadOrBegin(RandomGenerator random) {
    if (disk.exists(NAME)) {
      return load();
    }
    LayoutState blank = LayoutState.blank(newIncarnation(random));
    save(blank);
    return blank;
  }

  static Incarnation newIncarnation(RandomGenerator random) {
    return new Incarnation(random.nextLong(1, Long.MAX_VALUE));
  }

  private LayoutState load() {
    ByteBuffer bytes = read();
    Incarnation incarnation = new Incarnation(bytes.getLong());
    List<LayoutRequest> history = new ArrayList<>();
    while (bytes.hasRemaining()) {
      history.add(nextRequest(bytes));
    }
    try {
      return LayoutState.recalled(incarnation, history);
    } catch (IllegalArgumentException e) {
      throw new DamagedLayoutFileException(sentence(String.valueOf(e.getMessage())), e);
    }
  }

  /** Makes the state durable. Where that fails, the one before, or this one, is what is loaded. */
  void save(LayoutState state) {
    HeapWriter out = new HeapWriter();
    out.putInt(0);
    out.putInt(0);
    out.putLong(MAGIC);
    out.putLong(state.incarnation().value());
    for (LayoutRequest request : state.history()) {
      FrameCodec.encode(request, 0, out);
    }
    out.setInt(4, out.position());
    ByteBuffer bytes = out.finish();
    bytes.putInt(0, checksum(bytes));
    disk.delete(NEW_NAME);
    try (DiskFile file = disk.create(NEW_NAME)) {
      file.write(bytes, 0);
      file.sync();
    }
    disk.rename(NEW_NAME, NAME);
    disk.syncNames();
  }

  private ByteBuffer read() {
    try (DiskFile file = disk.open(NAME)) {
      long size = file.size();
      if (size < HEADER_BYTES || size > MAX_BYTES) {
        throw damaged("it has " + size + " bytes");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
      file.read(bytes, 0);
      bytes.flip();
      if (bytes.remaining() != size || bytes.getInt(4) != size) {
        throw damaged("it has " + bytes.remaining() + " bytes, not " + bytes.getInt(4));
      }
      if (bytes.getInt(0) != checksum(bytes)) {
        throw damaged("its checksum does not match its contents");
      }
      if (bytes.getLong(8) != MAGIC) {
        throw damaged("it does not start as such a file does");
      }
      return bytes.position(INCARNATION_AT);
    }
  }

  private LayoutRequest nextRequest(ByteBuffer bytes) {
    try {
      int length = FrameCodec.claimedLength(bytes);
      ByteBuffer frame = bytes.slice(bytes.position(), length);
      bytes.position(bytes.position() + length);
      if (FrameCodec.decode(frame).message() instanceof LayoutRequest request) {
        return request;
      }
      throw damaged("it holds a message that does not belong there");
    } catch (MalformedFrameException | IndexOutOfBoundsException e) {
      throw new DamagedLayoutFileException(sentence("it holds " + e.getMessage()), e);
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(CHECKED_FROM, bytes.limit() - CHECKED_FROM));
    return (int) crc.getValue();
  }

  private DamagedLayoutFileException damaged(String what) {
    return new DamagedLayoutFileException(sentence(what));
  }

  private String sentence(String what) {
    return "file '"
        + NAME
        + "' of the layout server in "
        + disk.description()
        + " is damaged: "
        + what
        + ". It holds promises that must not be forgotten: restore the disk, or take this server"
        + " out of the layout and let another one take its place";
  }
}

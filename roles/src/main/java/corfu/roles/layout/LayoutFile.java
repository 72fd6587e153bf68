package corfu.roles.layout;

import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import corfu.protocol.wire.MalformedFrameException;
import corfu.roles.TwinFile;
import corfu.world.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A layout server's state on disk. The {@link TwinFile} {@code layout} contains the shortest
 * history that leads to the state, as requests in the frames of the wire protocol. Little-endian.
 *
 * <pre>
 *   0                8
 *   +----------------+------------------ - -
 *   | incarnation    | Learn, then for each open epoch Accept and Prepare
 *   +----------------+------------------ - -
 * </pre>
 *
 * For one thread at a time.
 */
final class LayoutFile {

  static final String NAME = "layout";

  private static final long MAGIC = 0x59414c55_46524f43L; // "CORFULAY"
  private static final int VERSION = 3;
  private static final int MAX_BYTES = 256 << 20;

  private final Disk disk;
  private final TwinFile file;

  LayoutFile(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, MAX_BYTES);
  }

  /**
   * Loads the state. If there is no file, begins a new life of the disk with a blank server, whose
   * incarnation becomes durable before anybody can hear of it.
   *
   * @throws DamagedLayoutFileException if the file is damaged
   */
  LayoutState loadOrBegin(RandomGenerator random) {
    Optional<LayoutState> state = read().map(this::stateFrom);
    if (state.isPresent()) {
      return state.get();
    }
    LayoutState blank = LayoutState.blank(newIncarnation(random));
    save(blank);
    return blank;
  }

  static Incarnation newIncarnation(RandomGenerator random) {
    return new Incarnation(random.nextLong(1, Long.MAX_VALUE));
  }

  private LayoutState stateFrom(ByteBuffer bytes) {
    if (bytes.remaining() < Long.BYTES) {
      throw damaged("it holds " + bytes.remaining() + " bytes");
    }
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

  /**
   * Makes the state durable. After a failure, a later load returns either the previous state or
   * this one.
   */
  void save(LayoutState state) {
    HeapWriter out = new HeapWriter();
    out.putLong(state.incarnation().value());
    for (LayoutRequest request : state.history()) {
      FrameCodec.encode(request, 0, out);
    }
    file.write(out.finish());
  }

  private Optional<ByteBuffer> read() {
    try {
      return file.read();
    } catch (TwinFile.DamagedException damage) {
      throw new DamagedLayoutFileException(sentence(String.valueOf(damage.getMessage())), damage);
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
        + ". It holds promises that must not be forgotten: restore the disk, or remove this server"
        + " from the layout and replace it by another one";
  }
}

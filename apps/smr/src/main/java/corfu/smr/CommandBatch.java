package corfu.smr;

import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The payload of an entry of a state machine's stream: several commands. Little-endian.
 *
 * <pre>
 *   0       1         2       10        18        22          26
 *   +-------+---------+--------+---------+---------+-----------+---------+-- - -
 *   | 0xC5  | version | client | number  | count   | length    | command | length ...
 *   +-------+---------+--------+---------+---------+-----------+---------+-- - -
 * </pre>
 *
 * Each proposer draws {@code client} at random. With its number it names the batch, so that the
 * proposer recognizes its own batches.
 */
record CommandBatch(long client, long number, List<ByteBuffer> commands) {

  static final int HEADER_BYTES = 22;
  static final int BYTES_A_COMMAND = 4;

  private static final byte MAGIC = (byte) 0xC5;
  private static final byte VERSION = 1;

  ByteBuffer encoded() {
    int size = HEADER_BYTES;
    for (ByteBuffer command : commands) {
      size += BYTES_A_COMMAND + command.remaining();
    }
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(MAGIC).put(VERSION).putLong(client).putLong(number).putInt(commands.size());
    for (ByteBuffer command : commands) {
      bytes.putInt(command.remaining()).put(command.duplicate());
    }
    return bytes.flip();
  }

  /** The name of a batch: its proposer, and the proposer's number for it. */
  record Name(long client, long number) {}

  static Name nameOf(Address address, ByteBuffer payload) {
    ByteBuffer bytes = payload.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    checkHeader(address, bytes);
    return new Name(bytes.getLong(2), bytes.getLong(10));
  }

  /** Passes the commands of an entry to a receiver, in their order. */
  static void forEach(Address address, ByteBuffer payload, Consumer<Command> receiver) {
    ByteBuffer bytes = payload.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (Command command : decoded(address, bytes)) {
      receiver.accept(command);
    }
  }

  /**
   * Decodes the whole entry before any command is applied, so that a damaged entry changes no
   * state.
   */
  private static List<Command> decoded(Address address, ByteBuffer bytes) {
    checkHeader(address, bytes);
    int count = bytes.getInt(18);
    int at = HEADER_BYTES;
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (bytes.limit() - at < BYTES_A_COMMAND) {
        throw new DamagedCommandException(address, "it ends before command " + i);
      }
      int length = bytes.getInt(at);
      at += BYTES_A_COMMAND;
      if (length < 0 || length > bytes.limit() - at) {
        throw new DamagedCommandException(
            address, "command %d would have %d bytes".formatted(i, length));
      }
      commands.add(new Command(address, i, at, bytes.slice(at, length).asReadOnlyBuffer()));
      at += length;
    }
    if (at != bytes.limit()) {
      throw new DamagedCommandException(address, "something follows its last command");
    }
    return commands;
  }

  private static void checkHeader(Address address, ByteBuffer bytes) {
    if (bytes.limit() < HEADER_BYTES || bytes.get(0) != MAGIC || bytes.get(1) != VERSION) {
      throw new DamagedCommandException(
          address, "it does not begin as version %d does".formatted(VERSION));
    }
    if (bytes.getInt(18) < 1) {
      throw new DamagedCommandException(address, "it has no commands");
    }
  }
}

package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.protocol.Limits;
import java.nio.ByteBuffer;

/**
 * The entry of a line, with a unique name.
 *
 * <pre>
 *   0        4                12
 *   +--------+----------------+------- - -
 *   | writer | number         | line
 *   +--------+----------------+------- - -
 * </pre>
 *
 * @param writer the number of the writer, from 0
 * @param number the line's number among its writer's lines, from 0
 */
record DemoEntry(int writer, long number, ByteBuffer line) {

  private static final int HEADER_BYTES = 12;

  static final int LONGEST_LINE = Limits.DEFAULT.maxPayloadBytes() - HEADER_BYTES;

  static ByteBuffer encode(int writer, long number, byte[] line) {
    return ByteBuffer.allocate(HEADER_BYTES + line.length)
        .putInt(writer)
        .putLong(number)
        .put(line)
        .flip();
  }

  static DemoEntry decode(ByteBuffer payload) {
    if (payload.remaining() < HEADER_BYTES) {
      throw new CommandException(
          ExitCode.FAILED, "an entry of " + payload.remaining() + " bytes, which nobody appended");
    }
    int writer = payload.getInt();
    long number = payload.getLong();
    return new DemoEntry(writer, number, payload.slice());
  }
}

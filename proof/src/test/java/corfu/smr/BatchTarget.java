package corfu.smr;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Batches of commands. */
public final class BatchTarget implements FuzzTarget {

  private static final Address HERE = new Address(5);

  @Override
  public String name() {
    return "smr-batch";
  }

  @Override
  public List<byte[]> seeds() {
    ByteBuffer some = ByteBuffer.wrap(new byte[] {1, 2, 3});
    ByteBuffer none = ByteBuffer.allocate(0);
    return List.of(
        Bytes.of(new CommandBatch(1, 2, List.of(some)).encoded()),
        Bytes.of(new CommandBatch(1, 3, List.of(some, none, some)).encoded()));
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer payload = ByteBuffer.wrap(input);
    List<ByteBuffer> commands = new ArrayList<>();
    CommandBatch.Name name;
    try {
      name = CommandBatch.nameOf(HERE, payload);
      CommandBatch.forEach(HERE, payload, command -> commands.add(command.body()));
    } catch (DamagedCommandException refused) {
      if (!commands.isEmpty()) {
        throw new AssertionError("half of a damaged batch was given");
      }
      return;
    }
    Bytes.same(
        payload,
        new CommandBatch(name.client(), name.number(), commands).encoded(),
        "written again");
  }
}

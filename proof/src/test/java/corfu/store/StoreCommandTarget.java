package corfu.store;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.smr.Command;
import corfu.store.IndexCommand.Elsewhere;
import corfu.store.IndexCommand.Expectation;
import corfu.store.IndexCommand.Floor;
import corfu.store.IndexCommand.Inline;
import corfu.store.IndexCommand.Move;
import corfu.store.IndexCommand.Moved;
import corfu.store.IndexCommand.Remove;
import corfu.store.IndexCommand.Write;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The store's commands, and the answers of its index to them. */
public final class StoreCommandTarget implements FuzzTarget {

  @Override
  public String name() {
    return "store-command";
  }

  @Override
  public List<byte[]> seeds() {
    ByteBuffer some = ByteBuffer.wrap(new byte[] {1, 2, 3});
    List<Expectation> expected =
        List.of(
            new Expectation("a", OptionalLong.of(4)), new Expectation("b", OptionalLong.empty()));
    List<IndexCommand.Change> changes =
        List.of(
            new Remove("a"), new Inline("b", 0, some), new Elsewhere("c", new Address(9), 8, 7));
    return Stream.<IndexCommand>of(
            new Write(OptionalLong.empty(), List.of(), changes),
            new Write(OptionalLong.of(3), expected, changes),
            new Move(List.of(new Moved("a", 5, 0, some))),
            new Floor(new Address(6)))
        .map(command -> Bytes.of(command.encoded()))
        .toList();
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer body = ByteBuffer.wrap(input);
    IndexCommand command;
    try {
      command = IndexCommand.decode(body);
    } catch (IllegalArgumentException refused) {
      return;
    }
    ByteBuffer written = command.encoded();
    Bytes.same(body, written, "written again");
    StoreMachine machine = new StoreMachine(new ValueCache(0));
    IndexReply answer = IndexReply.decode(machine.apply(new Command(new Address(50), 0, 10, body)));
    Bytes.same(answer, IndexReply.decode(answer.encoded()), "answered again");
  }
}

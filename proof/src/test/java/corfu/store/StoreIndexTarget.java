package corfu.store;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.smr.Command;
import corfu.smr.StateMachine;
import corfu.store.IndexCommand.Elsewhere;
import corfu.store.IndexCommand.Write;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

/** The store's index in its checkpoints. */
public final class StoreIndexTarget implements FuzzTarget {

  @Override
  public String name() {
    return "store-index";
  }

  @Override
  public List<byte[]> seeds() {
    StoreMachine machine = new StoreMachine(new ValueCache(0));
    byte[] empty = saved(machine);
    for (String key : List.of("a", "b", "c")) {
      Elsewhere there = new Elsewhere(key, new Address(3), 2, 1);
      ByteBuffer body = new Write(OptionalLong.empty(), List.of(), List.of(there)).encoded();
      machine.apply(new Command(new Address(5), 0, 0, body));
    }
    return List.of(empty, saved(machine));
  }

  private static byte[] saved(StoreMachine machine) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StateMachine.Saved state = machine.save();
    try {
      state.writeTo(new DataOutputStream(out));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  private static StoreMachine loaded(byte[] state) throws IOException {
    StoreMachine machine = new StoreMachine(new ValueCache(0));
    machine.load(new DataInputStream(new ByteArrayInputStream(state)));
    return machine;
  }

  @Override
  public void run(byte[] input) {
    StoreMachine machine;
    try {
      machine = loaded(input);
    } catch (IOException refused) {
      return;
    }
    byte[] written = saved(machine);
    try {
      Bytes.same(
          ByteBuffer.wrap(written), ByteBuffer.wrap(saved(loaded(written))), "written again");
    } catch (IOException lost) {
      throw new UncheckedIOException("the written index can't be read", lost);
    }
  }

  @Override
  public long allowedBytesForEach() {
    return 4_096;
  }
}

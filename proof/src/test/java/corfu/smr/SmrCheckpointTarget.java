package corfu.smr;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.nio.ByteBuffer;
import java.util.List;

/** The end records of state machines' checkpoints, and the records about retained checkpoints. */
public final class SmrCheckpointTarget implements FuzzTarget {

  private static final Address HERE = new Address(5);

  @Override
  public String name() {
    return "smr-checkpoint";
  }

  @Override
  public List<byte[]> seeds() {
    Address before = new Address(100);
    StreamAddress resume = new StreamAddress(50);
    StreamAddress first = new StreamAddress(4);
    List<Address> parts = List.of(new Address(60), new Address(70));
    return List.of(
        Bytes.of(new Checkpoint(before, resume, first, 0, List.of()).encoded()),
        Bytes.of(new Checkpoint(before, resume, first, 99, parts).encoded()),
        Bytes.of(new Checkpoint(before, resume, first, 99, parts).encodedAsKept()));
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer payload = ByteBuffer.wrap(input);
    Checkpoint checkpoint;
    try {
      checkpoint = Checkpoint.decode(HERE, payload);
    } catch (DamagedCommandException refused) {
      return;
    }
    boolean isKept = Checkpoint.isKept(payload);
    Bytes.same(
        payload, isKept ? checkpoint.encodedAsKept() : checkpoint.encoded(), "written again");
  }
}

package corfu.proof.fuzz;

import corfu.access.DamagedPolicyException;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyMachine;
import corfu.access.UnknownPolicyFormatException;
import java.nio.ByteBuffer;
import java.util.List;

/** Changes of the policy, which get their checksum here. */
final class PolicyChangeTarget implements FuzzTarget {

  @Override
  public String name() {
    return "policy-change";
  }

  @Override
  public List<byte[]> seeds() {
    return PolicySamples.changes().stream().map(PolicySamples::withoutChecksum).toList();
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = PolicySamples.withChecksum(input);
    PolicyMachine machine = new PolicyMachine();
    PolicyChange change;
    try {
      var unused = machine.apply(bytes, 7);
      change = PolicyCodec.decodeChange(bytes);
    } catch (DamagedPolicyException | UnknownPolicyFormatException refused) {
      return;
    }
    ByteBuffer written = PolicyCodec.encode(change);
    Bytes.same(change, PolicyCodec.decodeChange(written), "decoded again");
    Bytes.same(machine.policy(), PolicyMachine.load(machine.save()).policy(), "saved and loaded");
  }
}

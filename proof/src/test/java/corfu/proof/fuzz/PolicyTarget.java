package corfu.proof.fuzz;

import corfu.access.DamagedPolicyException;
import corfu.access.PolicyMachine;
import corfu.access.UnknownPolicyFormatException;
import java.util.List;

/** Saved policies, which get their checksum here. */
final class PolicyTarget implements FuzzTarget {

  @Override
  public String name() {
    return "policy";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        PolicySamples.withoutChecksum(PolicySamples.saved()),
        PolicySamples.withoutChecksum(new PolicyMachine().save()));
  }

  @Override
  public void run(byte[] input) {
    PolicyMachine machine;
    try {
      machine = PolicyMachine.load(PolicySamples.withChecksum(input));
    } catch (DamagedPolicyException | UnknownPolicyFormatException refused) {
      return;
    }
    Bytes.same(machine.policy(), PolicyMachine.load(machine.save()).policy(), "saved and loaded");
  }
}

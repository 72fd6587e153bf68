package corfu.proof.fuzz;

import corfu.access.AccessPolicy;
import corfu.access.AccessRole;
import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.PolicyMachine;
import corfu.access.Quota;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Changes of a policy, and checksums that a fuzzer would never guess. */
final class PolicySamples {

  private static final int CHECKSUM_BYTES = 4;

  private PolicySamples() {}

  /** Returns a change of each kind. */
  static List<ByteBuffer> changes() {
    Identity author = new Identity("spiffe://prod/admin");
    Subject everybody = Subject.parse("spiffe://prod/*");
    Grant byPrefix = new Grant(everybody, Permission.READ, Target.parse("orders/*"));
    Grant byId = new Grant(everybody, Permission.TRIM, Target.parse("id:3f2a9c00/32"));
    return List.<PolicyCommand>of(
            new PolicyCommand.Give(byPrefix),
            new PolicyCommand.Give(Grant.of(Subject.parse("role:r"), Permission.OPERATE)),
            new PolicyCommand.Revoke(byId),
            new PolicyCommand.SetRole(new AccessRole("r", List.of(everybody))),
            new PolicyCommand.SetQuota(everybody, Quota.UNLIMITED),
            new PolicyCommand.RemoveRole("r"),
            new PolicyCommand.RemoveQuota(everybody),
            new PolicyCommand.Snapshot(AccessPolicy.EMPTY))
        .stream()
        .map(command -> PolicyCodec.encode(new PolicyChange(author, command)))
        .toList();
  }

  /** Returns the state after the first changes. */
  static ByteBuffer saved() {
    PolicyMachine machine = new PolicyMachine();
    int address = 0;
    for (ByteBuffer change : changes().subList(0, 5)) {
      var unused = machine.apply(change, address++);
    }
    return machine.save();
  }

  /** Returns the bytes with the right checksum behind them. */
  static ByteBuffer withChecksum(byte[] input) {
    byte[] all = Arrays.copyOf(input, input.length + CHECKSUM_BYTES);
    CRC32C checksum = new CRC32C();
    checksum.update(input);
    int value = (int) checksum.getValue();
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      all[input.length + i] = (byte) (value >>> Byte.SIZE * i);
    }
    return ByteBuffer.wrap(all);
  }

  /** Returns the bytes without their checksum. */
  static byte[] withoutChecksum(ByteBuffer bytes) {
    byte[] input = new byte[bytes.remaining() - CHECKSUM_BYTES];
    bytes.get(bytes.position(), input);
    return input;
  }
}

package corfu.access;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of the policy in the log, as they always were. A change needs another version. */
class PolicyCodecTest {

  private static final Identity AUTHOR = new Identity("CN=a");
  private static final Grant GRANT =
      new Grant(Subject.parse("spiffe://prod/*"), Permission.READ, Target.parse("orders/*"));
  private static final AccessRole ROLE = new AccessRole("ops", List.of(new Subject.Exact(AUTHOR)));

  private static final String GIVE =
      "010113007370696666653a2f2f70726f642f61646d696e0f007370696666653a"
          + "2f2f70726f642f2a0108006f72646572732f2a5b936424";
  private static final String SET_ROLE = "01030400434e3d6103006f7073010000000400434e3d61e03d795e";
  private static final String STATE =
      "010300000000000000010000000f007370696666653a2f2f70726f642f2a0108"
          + "006f72646572732f2a0100000003006f7073010000000400434e3d6101000000"
          + "0800726f6c653a6f7073e803000000000000ffffffffffffff7f030000000000"
          + "0000040000000000000005000000000000000600000000000000f8bb4a00";

  private static String hex(ByteBuffer bytes) {
    byte[] all = new byte[bytes.remaining()];
    bytes.get(bytes.position(), all);
    return HexFormat.of().formatHex(all);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }

  @Test
  void changesAreWrittenAndReadAsTheyAlwaysWere() {
    PolicyChange give =
        new PolicyChange(new Identity("spiffe://prod/admin"), new PolicyCommand.Give(GRANT));
    PolicyChange setRole = new PolicyChange(AUTHOR, new PolicyCommand.SetRole(ROLE));

    assertThat(hex(PolicyCodec.encode(give))).isEqualTo(GIVE);
    assertThat(PolicyCodec.decodeChange(bytes(GIVE))).isEqualTo(give);
    assertThat(hex(PolicyCodec.encode(setRole))).isEqualTo(SET_ROLE);
    assertThat(PolicyCodec.decodeChange(bytes(SET_ROLE))).isEqualTo(setRole);
  }

  @Test
  void aCheckpointIsWrittenAndReadAsItAlwaysWas() {
    PolicyMachine machine = new PolicyMachine();
    var given = machine.apply(bytes(GIVE), 0);
    var set = machine.apply(bytes(SET_ROLE), 1);
    Quota quota = new Quota(1_000, Quota.NO_LIMIT, 3, 4, 5, 6);
    var limited =
        machine.apply(
            new PolicyChange(
                AUTHOR, new PolicyCommand.SetQuota(new Subject.RoleName("ops"), quota)),
            2);

    assertThat(List.of(given, set, limited)).allMatch(PolicyOutcome.Changed.class::isInstance);
    assertThat(hex(machine.save())).isEqualTo(STATE);
    assertThat(PolicyMachine.load(bytes(STATE)).policy()).isEqualTo(machine.policy());
  }
}

package corfu.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class AccessPolicyTest {

  private static final Identity A = new Identity("spiffe://prod/a");
  private static final Identity B = new Identity("spiffe://prod/b");

  private final PolicyMachine machine = new PolicyMachine();
  private long address;

  private PolicyOutcome by(Identity author, PolicyCommand command) {
    return machine.apply(PolicyCodec.encode(new PolicyChange(author, command)), address++);
  }

  private static Grant on(Identity identity, Permission permission, String stream) {
    return new Grant(new Subject.Exact(identity), permission, Target.parse(stream));
  }

  private static Grant on(Identity identity, Permission permission) {
    return Grant.of(new Subject.Exact(identity), permission);
  }

  private AccessDecision decide(Identity identity, Permission permission, String stream) {
    return machine
        .policy()
        .decide(identity, permission, StreamId.named(stream), Optional.of(stream));
  }

  @Test
  void whatNobodyHasGrantedIsForbidden() {
    assertThat(decide(A, Permission.READ, "orders").reason())
        .isEqualTo(
            "spiffe://prod/a lacks the permission read on stream orders; an administrator gives it"
                + " by: corfu access grant spiffe://prod/a read orders");
    assertThat(machine.policy().decide(A, Permission.OPERATE).reason())
        .endsWith("corfu access grant spiffe://prod/a operate");
    assertThat(machine.policy().rightsOf(A).isEmpty()).isTrue();
  }

  @Test
  void aPermissionIncludesNoOtherExceptThatToAdminister() {
    by(B, new PolicyCommand.Give(on(A, Permission.APPEND, "orders")));
    by(B, new PolicyCommand.Give(on(A, Permission.OPERATE)));
    assertThat(decide(A, Permission.APPEND, "orders").isAllowed()).isTrue();
    assertThat(decide(A, Permission.READ, "orders").isAllowed()).isFalse();
    assertThat(machine.policy().decide(A, Permission.OBSERVE).isAllowed()).isFalse();

    by(B, new PolicyCommand.Give(on(A, Permission.ADMINISTER)));
    assertThat(decide(A, Permission.READ, "anything").isAllowed()).isTrue();
    assertThat(machine.policy().decide(A, Permission.OBSERVE).isAllowed()).isTrue();
  }

  @Test
  void aNameCountsOnlyForItsOwnStream() {
    by(B, new PolicyCommand.Give(on(A, Permission.READ, "orders.*")));
    assertThat(decide(A, Permission.READ, "orders.1").isAllowed()).isTrue();
    assertThat(
            machine
                .policy()
                .decide(A, Permission.READ, StreamId.named("users.1"), Optional.of("orders.1"))
                .isAllowed())
        .isFalse();
  }

  @Test
  void anAdministratorTakesThePermissionOnlyFromOthers() {
    by(B, new PolicyCommand.Give(on(A, Permission.ADMINISTER)));
    assertThat(by(A, new PolicyCommand.Revoke(on(A, Permission.ADMINISTER))))
        .isInstanceOf(PolicyOutcome.Refused.class);
    assertThat(machine.policy().decide(A, Permission.ADMINISTER).isAllowed()).isTrue();
    assertThat(by(B, new PolicyCommand.Revoke(on(A, Permission.ADMINISTER))))
        .isEqualTo(new PolicyOutcome.Changed(3));
    assertThat(machine.policy().decide(A, Permission.ADMINISTER).isAllowed()).isFalse();
  }

  @Test
  void anAdministratorDoesNotLeaveItsOnlyRoleEither() {
    Subject role = new Subject.RoleName("admins");
    by(B, new PolicyCommand.SetRole(new AccessRole("admins", List.of(new Subject.Exact(A)))));
    by(B, new PolicyCommand.Give(Grant.of(role, Permission.ADMINISTER)));
    assertThat(by(A, new PolicyCommand.RemoveRole("admins")))
        .isInstanceOf(PolicyOutcome.Refused.class);
    assertThat(by(A, new PolicyCommand.SetRole(new AccessRole("admins", List.of()))))
        .isInstanceOf(PolicyOutcome.Refused.class);
    assertThat(
            by(
                A,
                new PolicyCommand.SetRole(
                    new AccessRole("admins", List.of(Subject.parse("spiffe://prod*"))))))
        .isInstanceOf(PolicyOutcome.Changed.class);
  }

  @Test
  void aSecondGrantInTheSameWordsChangesNothing() {
    by(B, new PolicyCommand.Give(on(A, Permission.OPERATE)));
    assertThat(by(B, new PolicyCommand.Give(on(A, Permission.OPERATE))))
        .isInstanceOf(PolicyOutcome.Unchanged.class);
    assertThat(machine.policy().version()).isEqualTo(2);
  }

  @Test
  void thePolicyIsBounded() {
    for (int i = 0; i < AccessPolicy.MOST_GRANTS; i++) {
      machine.apply(
          new PolicyChange(B, new PolicyCommand.Give(on(A, Permission.READ, "orders." + i))),
          address++);
    }
    assertThat(by(B, new PolicyCommand.Give(on(A, Permission.READ, "more"))))
        .isInstanceOf(PolicyOutcome.Refused.class);
    assertThat(machine.policy().grants()).hasSize(AccessPolicy.MOST_GRANTS);
    assertThat(PolicyMachine.load(machine.save()).policy()).isEqualTo(machine.policy());
  }

  @Test
  void theClosestQuotaCounts() {
    Quota one = new Quota(1, 1, 1, 1, 1, 1);
    Quota two = new Quota(2, 2, 2, 2, 2, 2);
    Quota three = new Quota(3, 3, 3, 3, 3, 3);
    assertThat(machine.policy().quotaOf(A)).isEqualTo(Quota.UNLIMITED);
    by(B, new PolicyCommand.SetRole(new AccessRole("r", List.of(new Subject.Exact(A)))));
    by(B, new PolicyCommand.SetQuota(new Subject.RoleName("r"), three));
    assertThat(machine.policy().quotaOf(A)).isEqualTo(three);
    by(B, new PolicyCommand.SetQuota(Subject.parse("spiffe:*"), one));
    by(B, new PolicyCommand.SetQuota(Subject.parse("spiffe://prod*"), two));
    assertThat(machine.policy().quotaOf(A)).isEqualTo(two);
    by(B, new PolicyCommand.SetQuota(new Subject.Exact(A), one));
    assertThat(machine.policy().quotaOf(A)).isEqualTo(one);
  }

  /** A guess could keep a permission that the unread change has taken away. */
  @Test
  void anIntactChangeOfALaterVersionIsNotIgnored() {
    ByteBuffer later = ByteBuffer.allocate(6).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    later.put((byte) 9).put((byte) 1);
    CRC32C checksum = new CRC32C();
    checksum.update(later.array(), 0, 2);
    later.putInt((int) checksum.getValue()).flip();
    assertThatThrownBy(() -> machine.apply(later, 0))
        .isInstanceOf(UnknownPolicyFormatException.class)
        .hasMessageContaining("upgrade");
  }

  @Test
  void textsOfTargetsAndSubjectsAreReadAgain() {
    for (String text :
        List.of(
            "orders",
            "orders.*",
            "*",
            "id:3f2a9c00/32",
            "id:8/1",
            "id:c/3",
            "name:a*",
            "name:id:x",
            "id:00000000-0000-0001-0000-000000000002")) {
      assertThat(Target.parse(text).text()).isEqualTo(text);
      assertThat(Target.parse(Target.parse(text).text())).isEqualTo(Target.parse(text));
    }
    for (String text : List.of("CN=a", "spiffe://prod*", "*", "role:r", "anonymous")) {
      assertThat(Subject.parse(text).text()).isEqualTo(text);
    }
    for (String wrong :
        List.of(
            "id:xyz",
            "id:3f/32",
            "id:ff/4",
            "id:3f2a9c00/0",
            "id:/8",
            "",
            "role:",
            "id:00000000-0000-0000-0000-000000000000")) {
      assertThatThrownBy(() -> Target.parse(wrong.equals("role:") ? "name:" : wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aGrantIsOnWhatItsPermissionIsAbout() {
    assertThatThrownBy(
            () -> new Grant(new Subject.Exact(A), Permission.OPERATE, Target.parse("orders")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Grant(new Subject.Exact(A), Permission.READ, Target.Whole.WHOLE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

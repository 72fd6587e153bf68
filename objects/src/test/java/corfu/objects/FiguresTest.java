package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import java.time.Instant;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of the dissertation's sections 5.3 and 6.3, in today's Java. */
@Timeout(180)
class FiguresTest {

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  /** Figure 5.4. */
  static class User {
    private String name = "";
    private String password = "";
    private Instant lastLogin = Instant.EPOCH;
    private Instant lastLogout = Instant.EPOCH;

    @Mutator
    public void register(String itsName, String itsPassword) {
      name = itsName;
      password = itsPassword;
    }

    @Accessor
    public String getName() {
      return name;
    }

    @MutatorAccessor
    public boolean login(String pass, Instant time) {
      if (password.equals(pass)) {
        lastLogin = time;
        return true;
      }
      return false;
    }

    @Mutator
    public void logout(Instant time) {
      lastLogout = time;
    }

    @Accessor
    public List<Instant> times() {
      return List.of(lastLogin, lastLogout);
    }
  }

  @Test
  void aUserLogsInAtOneClientAndOutAtAnother() {
    User here = clients.here.open("person-1", User.class);
    User there = clients.there.open("person-1", User.class);
    Instant morning = Instant.parse("2026-01-01T08:00:00Z");
    Instant evening = Instant.parse("2026-01-01T18:00:00Z");

    here.register("Alice", "secret");

    assertThat(there.getName()).isEqualTo("Alice");
    assertThat(there.login("guess", morning)).isFalse();
    assertThat(there.login("secret", morning)).isTrue();
    here.logout(evening);
    assertThat(there.times()).containsExactly(morning, evening);
    assertThat(here.times()).containsExactly(morning, evening);
  }

  /** Figure 5.5: a map made of maps, each an object of its own. */
  static class CsmrMap {
    private static final ObjectType<ReplicatedMap<String, Long>> CHILD =
        ReplicatedMap.of(String.class, Long.class);
    private static final int BUCKETS = 4;

    private transient ReplicatedObjects objects; // of the client that opened it

    CsmrMap within(ReplicatedObjects its) {
      objects = its;
      return this;
    }

    private int childNumber(String key) {
      return Math.floorMod(key.hashCode() * 0x9e3779b1, BUCKETS);
    }

    private ReplicatedMap<String, Long> child(int number) {
      return objects.open(objects.idOf(this) + "/" + number, CHILD);
    }

    @TransactionalMethod(readOnly = true)
    public Long get(String key) {
      return child(childNumber(key)).get(key);
    }

    @TransactionalMethod
    public void put(String key, long value) {
      child(childNumber(key)).fastPut(key, value);
    }

    @TransactionalMethod(readOnly = true)
    public int size() {
      int total = 0;
      for (int i = 0; i < BUCKETS; i++) {
        total += child(i).size();
      }
      return total;
    }

    @TransactionalMethod
    public void clear() {
      for (int i = 0; i < BUCKETS; i++) {
        child(i).clear();
      }
    }
  }

  @Test
  void aMapThatIsMadeOfMapsIsReadAndClearedAsOne() {
    CsmrMap here = clients.here.open("map", CsmrMap.class).within(clients.here);
    CsmrMap there = clients.there.open("map", CsmrMap.class).within(clients.there);
    for (long i = 0; i < 40; i++) {
      (i % 2 == 0 ? here : there).put("key " + i, i);
    }
    assertThat(here.size()).isEqualTo(there.size()).isEqualTo(40);
    assertThat(there.get("key 7")).isEqualTo(7);

    clients.here.txBegin(TransactionOptions.READ_ONLY);
    assertThat(here.get("key 1")).isEqualTo(1);
    Address before = clients.corfu.log().tail();
    there.clear();
    assertThat(here.size()).isEqualTo(40); // as it was when the transaction began
    clients.here.txEnd();

    assertThat(here.size()).isZero();
    assertThat(clients.corfu.log().tail()).isEqualTo(before.plus(1)); // all of it in one entry
  }

  record Port(String name, int number) {}

  /** Figure 6.7, as printed. */
  static class LSwitch {
    List<Port> ports;

    @SuppressWarnings("JdkObsolete") // as printed
    public LSwitch() {
      ports = new LinkedList<>();
    }

    public List<Port> getPorts() {
      return ports;
    }

    public boolean addPort(Port port) {
      if (!ports.contains(port)) {
        ports.add(port);
        return true;
      }
      return false;
    }
  }

  private static final ObjectType<LSwitch> SWITCH = ObjectTypes.of(LSwitch.class, "addPort");

  @Test
  void aClassWithoutAnnotationsIsReplicatedByNamingWhatChangesIt() {
    LSwitch here = clients.here.open("switch", SWITCH);
    LSwitch there = clients.there.open("switch", SWITCH);

    assertThat(here.addPort(new Port("eth0", 1))).isTrue();
    assertThat(there.addPort(new Port("eth0", 1))).isFalse();
    assertThat(there.addPort(new Port("eth1", 2))).isTrue();

    assertThat(here.getPorts()).containsExactly(new Port("eth0", 1), new Port("eth1", 2));
    assertThat(there.getPorts()).isEqualTo(here.getPorts());
  }

  @Test
  void whatAnAccessorReturnsIsTheCallersToChange() {
    LSwitch here = clients.here.open("switch", SWITCH);
    here.addPort(new Port("eth0", 1));

    here.getPorts().clear();

    assertThat(here.getPorts()).hasSize(1);
  }

  /** Figure 6.8: each of two administrators looks, and then adds a port. */
  @Test
  void ofTwoAdministratorsWhoLookedAtTheSameSwitchOnlyOneAddsAPort() {
    LSwitch here = clients.here.open("switch", SWITCH);
    LSwitch there = clients.there.open("switch", SWITCH);

    clients.here.txBegin();
    assertThat(here.getPorts()).isEmpty();
    clients.there.txBegin();
    assertThat(there.getPorts()).isEmpty();
    assertThat(here.addPort(new Port("mine", 1))).isTrue();
    assertThat(there.addPort(new Port("yours", 1))).isTrue();
    clients.here.txEnd();

    assertThatThrownBy(clients.there::txEnd)
        .isInstanceOfSatisfying(
            TransactionAbortedException.class,
            aborted ->
                assertThat(aborted.conflict().orElseThrow())
                    .returns("switch", TransactionAbortedException.Conflict::name)
                    .returns(
                        clients.there.idOf(there), TransactionAbortedException.Conflict::object))
        .hasMessageContaining("try again");
    assertThat(there.getPorts()).containsExactly(new Port("mine", 1));
  }
}

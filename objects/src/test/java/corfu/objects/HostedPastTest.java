package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.internal.hosted.HostedObject;
import corfu.objects.internal.hosted.HostedObjects;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.objects.internal.view.View;
import corfu.objects.remote.StateVersion;
import corfu.objects.remote.TypeName;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewCall;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.protocol.Epoch;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CountingTransport;
import corfu.runtime.cluster.RoleCluster;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests that a host needs before it answers about the past. */
class HostedPastTest {

  private static final ObjectType<ReplicatedMap<String, Long>> TYPE =
      ReplicatedMap.of(String.class, Long.class);
  private static final int BYTES_MAX = 1 << 20;

  private final RoleCluster cluster = RoleCluster.builder().start();
  private final Corfu corfu = cluster.connect();
  private final ReplicatedMap<String, Long> map = ReplicatedObjects.over(corfu).open("map", TYPE);
  private final View<?> view = ObjectInvoker.viewOf(map);

  private final String get =
      view.type().operations().stream()
          .map(Operation::name)
          .filter(name -> name.matches("get\\W.*"))
          .findFirst()
          .orElseThrow();

  private final CountingTransport counting = new CountingTransport(cluster.transport());
  private final Corfu hosts = Corfu.connect(cluster.clientOptions(), cluster.world(), counting);
  private final HostedObject<?> hosted =
      HostedObjects.over(hosts, ObjectOptions.DEFAULT)
          .open(view.stream(), TYPE, List.of(), BYTES_MAX, BYTES_MAX);

  @AfterEach
  void stop() {
    hosts.close();
    cluster.close();
  }

  /** Puts 1, 2, 3, and so on. Returns the log's end after each put. */
  private List<Long> ends(int puts) {
    List<Long> ends = new ArrayList<>();
    for (long i = 1; i <= puts; i++) {
      map.fastPut("k", i);
      ends.add(corfu.log().tail().value());
    }
    return ends;
  }

  private ViewCall get(StateVersion version) {
    ValueOutput arguments = new ValueOutput();
    view.serializer().write(new @Nullable Object[] {"k"}, arguments);
    return new ViewCall(
        new TypeName(TYPE.name(), List.of()),
        version,
        view.serializer().id(),
        get,
        arguments.toBuffer(),
        List.of());
  }

  private static StateVersion.Snapshot at(long before) {
    return new StateVersion.Snapshot(Epoch.NONE, 0, before, true, true);
  }

  private @Nullable Object value(ViewAnswer answer) {
    assertThat(answer).isInstanceOf(ViewAnswer.Returned.class);
    return view.serializer().read(new ValueInput(((ViewAnswer.Returned) answer).value()))[0];
  }

  private ViewAnswer caughtUpWith(ViewCall call) {
    return hosted.answer(hosted.catchUp(List.of(call)), call);
  }

  @Test
  void aStretchOfThePastThatWasReadIsToldWithoutAskingAnybody() {
    List<Long> ends = ends(50);
    assertThat(value(caughtUpWith(get(at(ends.getLast()))))).isEqualTo(50L); // and decides it
    assertThat(value(caughtUpWith(get(at(ends.getFirst()))))).isEqualTo(1L);

    long requests =
        counting.requestsOf(
            () -> {
              for (int i = 0; i < 50; i++) {
                ViewCall call = get(at(ends.get(i)));
                assertThat(hosted.isAtHand(call)).isTrue();
                assertThat(value(hosted.answerAtHand(call).orElseThrow())).isEqualTo(i + 1L);
              }
            });

    assertThat(requests).isZero();
  }

  @Test
  void aMomentBeforeTheViewsOwnIsToldWithoutAskingAnybody() {
    List<Long> ends = ends(3);
    assertThat(value(caughtUpWith(get(at(ends.getLast()))))).isEqualTo(3L); // and decides it
    assertThat(value(caughtUpWith(get(StateVersion.Now.NOW)))).isEqualTo(3L);
    corfu.log().append(new byte[1]);

    ViewCall call = get(at(ends.getLast()));
    assertThat(hosted.isAtHand(call)).isTrue();
    assertThat(counting.requestsOf(() -> assertThat(hosted.answerAtHand(call)).isPresent()))
        .isZero();
    assertThat(value(hosted.answerAtHand(call).orElseThrow())).isEqualTo(3L);
  }

  @Test
  void theFirstReadOfAMomentAsksOnceWhereTheStreamEnds() {
    List<Long> ends = ends(2);
    assertThat(value(caughtUpWith(get(StateVersion.Now.NOW)))).isEqualTo(2L); // has played it
    ViewCall first = get(at(ends.getFirst()));
    hosts.log().tail(); // all below is decided for this client, too

    assertThat(hosted.isAtHand(first)).isFalse();
    assertThat(counting.requestsOf(() -> hosted.catchUp(List.of(first)))).isEqualTo(1);
  }

  @Test
  void whatIsOfNowOrNotDecidedOrBeyondWhatWasReadIsNotAtHand() {
    List<Long> ends = ends(3);
    assertThat(value(caughtUpWith(get(at(ends.getFirst()))))).isEqualTo(1L);
    map.fastPut("k", 4L);
    long later = corfu.log().tail().value();

    List<StateVersion> moments =
        List.of(
            StateVersion.Now.NOW,
            new StateVersion.Snapshot(Epoch.NONE, 0, ends.getFirst(), false, true),
            at(later));
    for (StateVersion version : moments) {
      assertThat(hosted.isAtHand(get(version))).as("%s", version).isFalse();
      assertThat(hosted.answerAtHand(get(version))).as("%s", version).isEmpty();
    }
    assertThat(value(caughtUpWith(get(at(later))))).isEqualTo(4L);
  }
}

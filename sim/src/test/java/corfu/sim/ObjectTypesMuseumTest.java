package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Supervision;
import corfu.objects.ReplicatedObjects;
import corfu.objects.UndecodableEntryException;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.record.CallId;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.serial.ValueOutput;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that open one object with different types, step by step. */
class ObjectTypesMuseumTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);
  private static final ObjectType<ReplicatedList<String>> LIST = ReplicatedList.of(String.class);
  private static final String NAME = "accounts";

  private final Scenario scenario =
      new Scenario(new Wanted(2, 2), 0, 1, Supervision.DEFAULT.withAgent(false));

  private static ReplicatedMap<String, Long> map(Corfu corfu) {
    return ReplicatedObjects.over(corfu).open(NAME, MAP);
  }

  /** Appends an update as clients did before they checked an object's type. */
  private static void appendUnchecked(Corfu corfu, String operation, Object argument) {
    ValueOutput arguments = new ValueOutput();
    StandardSerializer.create().write(new Object[] {argument}, arguments);
    StreamId object = StreamId.named(NAME);
    Update update = new Update(object, operation, 0, arguments.toBuffer());
    Updates record = new Updates(new CallId(7, 1), 0, List.of(update));
    var unused = Streams.over(corfu).open(object).append(RecordCodec.encode(record));
  }

  @Test
  void anUpdateOfAnotherTypeIsRefusedByEveryViewAlike() {
    scenario.client(
        corfu -> {
          ReplicatedObjects objects = ReplicatedObjects.over(corfu);
          ReplicatedMap<String, Long> map = objects.open(NAME, MAP);
          map.put("a", 1L);
          appendUnchecked(corfu, "add(Object)", "x");
          assertThat(map.put("a", 2L)).isEqualTo(1L);
          Map<String, Long> all = Map.of("a", 2L);
          assertThat(scenario.<Object>another(other -> Map.copyOf(map(other))).join())
              .isEqualTo(all);
          Address checkpoint = objects.checkpoint(map);
          assertThat(objects.forget(map, checkpoint)).isPresent();
          return assertThat(scenario.<Object>another(other -> Map.copyOf(map(other))).join())
              .isEqualTo(all);
        });
  }

  @Test
  void aNewObjectIsGivenOneTypeThoughTwoClientsChangeItAtTheSameTime() {
    scenario.client(
        (corfu, way) -> {
          ReplicatedList<String> list = ReplicatedObjects.over(corfu).open(NAME, LIST);
          way.beforeNext(
              request -> request instanceof SequencerRequest.NextInStreams,
              () -> scenario.another(other -> map(other).put("a", 1L)));

          assertThatThrownBy(() -> list.fastAdd("x"))
              .isInstanceOf(UndecodableEntryException.class)
              .hasMessageContaining("calls put(Object,Object), which ReplicatedList does not have");

          return assertThat(map(corfu)).isEqualTo(Map.of("a", 1L));
        });
  }
}

package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.remote.TypeName;
import corfu.objects.type.ObjectType;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostTypesTest {

  @Test
  void everyCollectionIsFoundByTheNameThatItsClientsSend() throws Exception {
    List<ObjectType<?>> types =
        List.of(
            ReplicatedMap.ofTypes(Object.class, Object.class),
            ReplicatedRangeMap.<String, Object>ofTypes(Object.class),
            ReplicatedList.ofTypes(Object.class),
            ReplicatedQueue.ofTypes(Object.class),
            ReplicatedStack.ofTypes(Object.class),
            ReplicatedSet.ofTypes(Object.class),
            ReplicatedRegister.ofTypes(Object.class),
            ReplicatedCounter.type());
    for (ObjectType<?> type : types) {
      TypeName name = new TypeName(type.hostedName(), List.of());
      ObjectType<?> hosted = HostTypes.COLLECTIONS.type(name);
      assertThat(hosted.hostedName()).isEqualTo(type.hostedName());
      assertThat(hosted.operations()).isEqualTo(type.operations());
      assertThat(HostTypes.COLLECTIONS.type(name)).as("made once").isSameAs(hosted);
    }
    assertThat(HostTypes.collections()).hasSize(types.size());
  }
}

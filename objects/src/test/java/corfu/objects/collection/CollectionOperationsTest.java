package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The names of operations identify families of collections. */
class CollectionOperationsTest {

  private static final List<ObjectType<?>> ALL =
      List.of(
          ReplicatedMap.ofTypes(),
          ReplicatedList.ofTypes(),
          ReplicatedSet.ofTypes(),
          ReplicatedRegister.ofTypes(),
          ReplicatedCounter.type());

  @Test
  void twoNamesAreOfSeveralFamilies() {
    var several = new TreeSet<String>();
    for (ObjectType<?> type : ALL) {
      type.operations().stream()
          .filter(operation -> operation.kind().changes())
          .filter(operation -> !type.identifies(operation.name()))
          .map(Operation::name)
          .forEach(several::add);
    }

    assertThat(several).containsExactly("clear()", "remove(Object)");
  }

  @Test
  void otherFamiliesAndClassesAreForeignAndNotOnesOwnFamilyNorALaterVersion() {
    ObjectType<?> map = ReplicatedMap.ofTypes();

    assertThat(map.isForeign("add(Object)")).isTrue();
    assertThat(map.isForeign("deposit(long)")).isTrue();
    assertThat(map.isForeign("pollFirstEntry()")).isFalse(); // a range map's view carries it out
    assertThat(map.isForeign("corfu:new")).isFalse();
    assertThat(ReplicatedSet.ofTypes().isForeign("put(Object,Object)")).isTrue();
  }
}

package corfu.silver.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.protocol.FileName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules of POSIX access control lists, each for all modes. */
class AccessControlListTest {

  private static final int MODES = 01000;

  private static AclEntry entry(AclTag tag, int permissions) {
    return AclEntry.of(tag, permissions);
  }

  private static AclEntry user(int id, int permissions) {
    return new AclEntry(AclTag.USER, permissions, id);
  }

  /** A list with a user, a group and a mask. */
  private static AccessControlList list(int owner, int group, int mask, int other) {
    return new AccessControlList(
        List.of(
            entry(AclTag.OWNER, owner),
            user(1001, 7),
            user(1002, 4),
            entry(AclTag.OWNING_GROUP, group),
            new AclEntry(AclTag.GROUP, 6, 1003),
            entry(AclTag.MASK, mask),
            entry(AclTag.OTHER, other)));
  }

  private static int permissions(AccessControlList list, AclTag tag) {
    return list.entries().stream()
        .filter(entry -> entry.tag() == tag)
        .findFirst()
        .orElseThrow()
        .permissions();
  }

  @Test
  void aModeIsAListOfThree() {
    for (int mode = 0; mode < MODES; mode++) {
      AccessControlList list = AccessControlList.ofMode(mode);
      assertThat(list.permissions()).isEqualTo(mode);
      assertThat(list.isEquivalentToMode()).isTrue();
      assertThat(list.entries()).hasSize(3);
    }
  }

  @Test
  void theGroupBitsOfAModeAreTheMask() {
    for (int mode = 0; mode < MODES; mode++) {
      AccessControlList list = list(mode >> 6 & 7, 5, mode >> 3 & 7, mode & 7);
      assertThat(list.permissions()).isEqualTo(mode);
      assertThat(list.isEquivalentToMode()).isFalse();
    }
  }

  @Test
  void aChangeOfTheModeChangesOwnerMaskAndOthers() {
    for (int mode = 0; mode < MODES; mode++) {
      AccessControlList changed = list(1, 5, 2, 4).withPermissions(mode);
      assertThat(changed).isEqualTo(list(mode >> 6 & 7, 5, mode >> 3 & 7, mode & 7));
      assertThat(AccessControlList.ofMode(0421).withPermissions(mode))
          .isEqualTo(AccessControlList.ofMode(mode));
    }
  }

  /** Without a mask, the group's entry is limited; with one, the mask is, and nobody else. */
  @Test
  void aNewFileGetsTheDefaultListLimitedByTheModeOfItsCreation() {
    for (int mode = 0; mode < MODES; mode++) {
      for (int given = 0; given < MODES; given++) {
        AccessControlList small = AccessControlList.ofMode(given).inherited(mode);
        assertThat(small.permissions()).isEqualTo(given & mode);
        AccessControlList large =
            list(given >> 6 & 7, 5, given >> 3 & 7, given & 7).inherited(mode);
        assertThat(large.permissions()).isEqualTo(given & mode);
        assertThat(permissions(large, AclTag.OWNING_GROUP)).isEqualTo(5);
        assertThat(large.entries()).contains(user(1001, 7), user(1002, 4));
      }
    }
  }

  @Test
  void theBytesAreThoseOfLinux() {
    byte[] bytes = {
      2,
      0,
      0,
      0, // version
      1,
      0,
      6,
      0,
      -1,
      -1,
      -1,
      -1, // user::rw-
      2,
      0,
      4,
      0,
      (byte) 0xe9,
      3,
      0,
      0, // user:1001:r--
      4,
      0,
      4,
      0,
      -1,
      -1,
      -1,
      -1, // group::r--
      16,
      0,
      4,
      0,
      -1,
      -1,
      -1,
      -1, // mask::r--
      32,
      0,
      0,
      0,
      -1,
      -1,
      -1,
      -1 // other::---
    };
    var list =
        new AccessControlList(
            List.of(
                entry(AclTag.OWNER, 6),
                user(1001, 4),
                entry(AclTag.OWNING_GROUP, 4),
                entry(AclTag.MASK, 4),
                entry(AclTag.OTHER, 0)));

    assertThat(list.encode()).isEqualTo(bytes);
    assertThat(AccessControlList.decode(bytes)).contains(list);
  }

  @Test
  void aDecodedListIsTheEncodedOne() {
    for (int mode = 0; mode < MODES; mode++) {
      AccessControlList list = list(mode >> 6 & 7, mode & 7, mode >> 3 & 7, mode & 7);
      assertThat(AccessControlList.decode(list.encode())).contains(list);
    }
  }

  @Test
  void bytesThatAreNoValidListAreRefused() {
    byte[] valid = list(7, 5, 7, 0).encode();
    for (int length = 0; length < valid.length; length++) {
      assertThat(AccessControlList.decode(Arrays.copyOf(valid, length))).isEmpty();
    }
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      byte[] altered = valid.clone();
      altered[random.nextInt(altered.length)] = (byte) random.nextInt();
      AccessControlList.decode(altered)
          .ifPresent(list -> assertThat(AccessControlList.decode(list.encode())).contains(list));
    }
  }

  /** Tries every sequence of up to five tags against the grammar of a list. */
  @Test
  void onlyTheOrderOfTheTagsIsAList() {
    List<List<AclTag>> sequences = new ArrayList<>(List.of(List.of()));
    for (int length = 0; length < 5; length++) {
      List<List<AclTag>> longer = new ArrayList<>();
      for (List<AclTag> sequence : sequences) {
        for (AclTag tag : AclTag.values()) {
          List<AclTag> more = new ArrayList<>(sequence);
          more.add(tag);
          longer.add(more);
        }
      }
      longer.forEach(AccessControlListTest::checkGrammar);
      sequences = longer;
    }
  }

  private static void checkGrammar(List<AclTag> tags) {
    String text = String.join("", tags.stream().map(tag -> tag.name().substring(0, 2)).toList());
    boolean isValid =
        text.matches("OW(US)*OW(GR)*(MA)?OT")
            && tags.get(0) == AclTag.OWNER
            && tags.stream().filter(tag -> tag == AclTag.OWNER).count() == 1
            && (tags.contains(AclTag.MASK) || tags.stream().noneMatch(AclTag::isNamed));
    List<AclEntry> entries =
        tags.stream().map(tag -> new AclEntry(tag, 7, tag.isNamed() ? 5 : -1)).toList();
    if (isValid) {
      assertThat(new AccessControlList(entries).entries()).isEqualTo(entries);
    } else {
      assertThatThrownBy(() -> new AccessControlList(entries))
          .as("%s", tags)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void onlyTwoAttributesAreLists() {
    assertThat(AclKind.of(FileName.of("system.posix_acl_access"))).contains(AclKind.ACCESS);
    assertThat(AclKind.of(FileName.of("system.posix_acl_default"))).contains(AclKind.DEFAULT);
    assertThat(AclKind.of(FileName.of("user.posix_acl_access"))).isEmpty();
  }
}

package corfu.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;

/**
 * Each package is a slice, without its entry points. These construct the classes of {@code
 * internal} packages, which in turn use the other public types of the same package, such as
 * exceptions and options. So a package's entry points are a slice above the internal packages, and
 * its other types are one below them.
 */
final class PackagesAndEntryPoints implements SliceAssignment {

  private static final Set<String> ENTRY_POINTS =
      Set.of(
          "corfu.bytes.ArrayHistory",
          "corfu.bytes.ArrayWriter",
          "corfu.bytes.BytesRecords",
          "corfu.bytes.BytesStore",
          "corfu.bytes.BytesView",
          "corfu.bytes.SpaceReclaimer",
          "corfu.bytes.VersionedBytes",
          "corfu.disk.DiskExports",
          "corfu.disk.Disks",
          "corfu.nbd.NbdServer",
          "corfu.objects.Parts",
          "corfu.objects.PastObjects",
          "corfu.objects.RemoteObjects",
          "corfu.objects.RemotePastObjects",
          "corfu.objects.ReplicatedObjects",
          "corfu.objects.serial.StandardSerializer",
          "corfu.objects.serial.ValueText",
          "corfu.pki.CertificateAuthority",
          "corfu.pki.tokens.FollowingVerifier",
          "corfu.pki.tokens.TokenIssuer",
          "corfu.pki.tokens.TokenVerifier",
          "corfu.silver.DirectoryListing",
          "corfu.silver.DirectoryQuotas",
          "corfu.silver.Silver",
          "corfu.silver.SilverFileSystem",
          "corfu.silver.lock.MountLocks",
          "corfu.zookeeper.ZooKeeperService");

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
    String name = javaClass.getPackageName();
    String outermost = javaClass.getName().replaceFirst("\\$.*", "");
    if (!name.startsWith("corfu.")) {
      return SliceIdentifier.ignore();
    }
    return ENTRY_POINTS.contains(outermost)
        ? SliceIdentifier.of(name, "entry points")
        : SliceIdentifier.of(name, "types");
  }

  @Override
  public String getDescription() {
    return "packages and entry points";
  }
}

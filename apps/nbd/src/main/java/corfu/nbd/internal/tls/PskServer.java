package corfu.nbd.internal.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Optional;
import java.util.Vector;
import org.bouncycastle.crypto.CryptoServicesRegistrar;
import org.bouncycastle.tls.BasicTlsPSKExternal;
import org.bouncycastle.tls.CipherSuite;
import org.bouncycastle.tls.PRFAlgorithm;
import org.bouncycastle.tls.PSKTlsServer;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.PskIdentity;
import org.bouncycastle.tls.TlsPSKExternal;
import org.bouncycastle.tls.TlsPSKIdentityManager;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;
import org.jspecify.annotations.Nullable;

/**
 * One handshake with pre-shared keys. The ciphers are the JDK's, which uses the processor's
 * instructions for them.
 */
final class PskServer extends PSKTlsServer {

  /** Forward secrecy and authentication only; the JDK has ChaCha20 under another name. */
  private static final int[] SUITES = {
    CipherSuite.TLS_AES_128_GCM_SHA256,
    CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256,
    CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_GCM_SHA384,
    CipherSuite.TLS_DHE_PSK_WITH_AES_128_GCM_SHA256,
    CipherSuite.TLS_DHE_PSK_WITH_AES_256_GCM_SHA384,
  };

  private static final TlsCrypto CRYPTO =
      new JcaTlsCryptoProvider().create(CryptoServicesRegistrar.getSecureRandom());

  private final PskFile keys;
  private final Runnable completed;

  PskServer(PskFile keys, Runnable completed) {
    super(CRYPTO, new Identities(keys));
    this.keys = keys;
    this.completed = completed;
  }

  /** Finds keys of version 1.2. */
  private record Identities(PskFile keys) implements TlsPSKIdentityManager {

    @Override
    public byte @Nullable [] getHint() {
      return null;
    }

    @Override
    public byte @Nullable [] getPSK(byte[] identity) {
      return keys.keyOf(new String(identity, UTF_8)).orElse(null);
    }
  }

  @Override
  protected ProtocolVersion[] getSupportedVersions() {
    return ProtocolVersion.TLSv13.downTo(ProtocolVersion.TLSv12);
  }

  @Override
  protected int[] getSupportedCipherSuites() {
    return SUITES.clone();
  }

  /** Finds a key of version 1.3. */
  @Override
  @SuppressWarnings({"rawtypes", "JdkObsolete"}) // the library's type
  public @Nullable TlsPSKExternal getExternalPSK(Vector identities) {
    for (Object offered : identities) {
      byte[] identity = ((PskIdentity) offered).getIdentity();
      Optional<byte[]> key = keys.keyOf(new String(identity, UTF_8));
      if (key.isPresent()) {
        return new BasicTlsPSKExternal(
            identity, getCrypto().createSecret(key.get()), PRFAlgorithm.tls13_hkdf_sha256);
      }
    }
    return null;
  }

  @Override
  public void notifyHandshakeComplete() throws IOException {
    super.notifyHandshakeComplete();
    completed.run();
  }
}

"""Measures ba-serve beside nginx, and its start and its manifest.

    BA_SERVE=.build/extra/release/ba-serve PYTHONPATH=Tests/Interop python3 Tests/Serve/bench.py

Prints: the rate of one pack of 700 MB over TLS on loopback, three times each by turns; the time to
the first answer with 40 known packs of 3 GB; the median time of a manifest with 200 packs.
"""

import http.client
import ssl
import statistics
import subprocess
import sys
import time

import server as serving
from test_compare_nginx import Nginx, make_identity


# A first look at gigabytes takes its time.
serving.TIMEOUT = 600


class Bench(serving.ServerTest):
    def throughput(self):
        archive = self.archive("large", 700_000_000)
        rates = {}
        for name, algorithm in (("P-256", ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")),):
            certificate, key = make_identity(self.home, algorithm)
            folder = self.home / "nginx"
            folder.mkdir()
            nginx = Nginx(folder, certificate, key, {"large": archive})
            ours = self.serve(archive, "--identity-path", certificate, "--identity-path", key)
            for _ in range(3):
                for program, port in (("ba-serve", ours.port), ("nginx", nginx.port)):
                    rates.setdefault(program, []).append(
                        self.download(port, certificate, archive.stat().st_size))
            nginx.stop()
            ours.stop()
            for program, values in rates.items():
                print(f"{name}: {program}: " + ", ".join(f"{v / 1e6:.0f}" for v in values) + " MB/s")
            ratio = statistics.median(rates["ba-serve"]) / statistics.median(rates["nginx"])
            print(f"{name}: ba-serve / nginx: {ratio:.2f}")

    def download(self, port, certificate, size):
        start = time.monotonic()
        subprocess.run(
            ["curl", "-sS", "--cacert", certificate, "-o", "/dev/null", "--tlsv1.3",
             f"https://127.0.0.1:{port}/assetpacks/large"], check=True)
        return size / (time.monotonic() - start)

    def archive(self, name, size):
        """A pack of random bytes, which nothing compresses."""
        file = self.game / f"{name}.bin"
        with open("/dev/urandom", "rb") as source, open(file, "wb") as target:
            for _ in range(size // 1_000_000):
                target.write(source.read(1_000_000))
        manifest = self.manifest(name, file.name)
        archive = self.home / f"{name}.aar"
        subprocess.run(
            [serving.PACKAGER, "package", manifest, "-o", archive, "--quiet", "--hosting", "self",
             "--compression", "store"], check=True)
        file.unlink()
        return archive

    def start(self):
        one = self.archive("pack0", 75_000_000)
        archives = [one]
        for number in range(1, 40):
            archives.append(self.archive(f"pack{number}", 75_000_000))
        self.serve(*archives).stop()
        times = []
        for _ in range(5):
            begin = time.monotonic()
            running = self.serve(*archives)
            trust = ssl.create_default_context(cafile=running.authority)
            connection = http.client.HTTPSConnection("localhost", running.port, context=trust)
            connection.request("GET", "/manifest")
            connection.getresponse().read()
            times.append(time.monotonic() - begin)
            connection.close()
            running.stop()
        print(f"start with 40 known packs: {statistics.median(times):.3f} s")

    def manifests(self):
        archives = [self.pack(f"pack{n}", {f"{n}.txt": b"x"}) for n in range(200)]
        running = self.serve(*archives)
        trust = ssl.create_default_context(cafile=running.authority)
        connection = http.client.HTTPSConnection("localhost", running.port, context=trust)
        times = []
        for _ in range(200):
            begin = time.monotonic()
            connection.request("GET", "/manifest?platform=iOS")
            connection.getresponse().read()
            times.append(time.monotonic() - begin)
        connection.close()
        running.stop()
        print(f"manifest with 200 packs: {statistics.median(times) * 1000:.2f} ms")


def main():
    for name in sys.argv[1:] or ("throughput", "start", "manifests"):
        bench = Bench()
        bench.setUp()
        try:
            getattr(bench, name)()
        finally:
            bench.doCleanups()


if __name__ == "__main__":
    main()

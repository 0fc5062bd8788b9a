// Written by language-tables.py from the supplemental data of CLDR 41.

/// The likely subtags of CLDR: subtags, and the tags that they are added to.
let likelySubtags = """
  und-143 und-Ougr; und-AF uz-Arab; und-AL und-Elba und-Vith; und-AM und-Armn; und-Aghb-RU udi; \
  und-Ahom-IN aho; und-Arab az-IQ az-IR ha-CM ha-SD kk-AF kk-CN kk-IR kk-MN ku-LB ky-CN ms-CC \
  pa-PK tg-PK uz-AF; und-Arab-AF haz ps; und-Arab-CM fub; und-Arab-CN ug; und-Arab-DZ arq; \
  und-Arab-EG ar arz; und-Arab-IN dcc ks; und-Arab-IQ ckb; und-Arab-IR bqi fa gbz glk lki lrc luz \
  mzn prd rmt sdh; und-Arab-KH cja; und-Arab-KM wni zdj; und-Arab-MA ary; und-Arab-NE kby; \
  und-Arab-PK bal bft bgn brh gjk gju hnd hno khw kvx kxp lah mvy sd skr trw ur; und-Arab-SA ars; \
  und-Arab-SD bej fia; und-Arab-TG apd; und-Arab-TH mfa; und-Arab-TN aeb; und-Arab-YT swb; \
  und-Arab-ZZ apc avl dgl gwc gwt kzh mde mki oru ota phl scl shu; und-Armi-IR arc; und-Armn-AM \
  hy; und-Avst-IR ae; und-BD und-Beng und-Cakm und-Mroo und-Sylo; und-BG cu-Glag und-Glag; \
  und-Bamu-CM bax; und-Bass-LR bsq; und-Beng-BD bn rkt syl; und-Beng-IN as bpy grt mni unr unx; \
  und-Brah-IN pka; und-CA und-Cans; und-CM und-Bamu; und-CN kk-Arab ky-Arab mn-Mong pal-Phlp \
  und-Hani und-Hans und-Kits und-Lisu und-Mani und-Marc und-Mong und-Nshu und-Phag und-Phlp \
  und-Plrd und-Tale und-Talu und-Tang und-Tibt und-Yiii yue-Hans; und-CY und-Cpmn und-Cprt; \
  und-Cakm-BD ccp; und-Cans-CA cr crk crl csw iu nsk oj ojs; und-Cari-TR xcr; und-Cham-VN cjm; \
  und-Cher-US chr; und-Chrs-UZ xco; und-Copt-EG cop; und-Cprt-CY grc; und-Cyrl az-RU ug-KZ ug-MN \
  uz-CN; und-Cyrl-BG bg; und-Cyrl-BY be; und-Cyrl-GE ab os; und-Cyrl-KG ky; und-Cyrl-KZ kk; \
  und-Cyrl-MK mk; und-Cyrl-MN mn; und-Cyrl-RS sr; und-Cyrl-RU ady alt av ba bua ce chm cu cv dar \
  inh kbd koi krc kum kv lbe lez mdf mrj myv ru sah tt tyv udm; und-Cyrl-TJ tg; und-Cyrl-UA crh \
  rue uk; und-Cyrl-UZ kaa; und-Cyrl-ZZ abq; und-Deva sd-IN unr-NP; und-Deva-IN awa bfy bgc bhb \
  bhi bho bjj bra brx doi gbm gom hi hne hoc hoj kfr kfy khn kok kru kxl mag mai mr mtr mwr noe \
  ppa raj sa sck srx swv wbr wtm xnr; und-Deva-NP bap dty ggn gvr jml lif mgp mrd ne new rjs taj \
  tdg tdh thl thq thr tkt tsf xsr; und-Deva-PK btv; und-EG und-Arab und-Copt und-Egyp; und-ET \
  und-Ethi; und-Egyp-EG egy; und-Ethi-ER byn tig; und-Ethi-ET am gez ti wal; und-Ethi-ZZ bcq bji \
  bst drs gmv gof hdy kqy ktb kxc mdx mym sgw; und-FR und-Brai und-Dupl; und-GB en-Shaw und-Shaw; \
  und-GE ku-Yezi und-Geor und-Yezi; und-GN ff-Adlm man-Nkoo und-Adlm und-Nkoo; und-GR grc-Linb \
  und-Grek und-Lina und-Linb; und-Geor-GE ka xmf; und-Gong-IN wsg; und-Gonm-IN esg; und-Goth-UA \
  got; und-Grek-GR el pnt tsd; und-Grek-TR bgx; und-Gujr-IN gu; und-Guru-IN pa; und-HU und-Hung; \
  und-Hans yue-CN; und-Hans-CN gan hak hsn lzh nan wuu zh; und-Hant zh-AU zh-BN zh-GB zh-GF zh-HK \
  zh-ID zh-MO zh-PA zh-PF zh-PH zh-SR zh-TH zh-TW zh-US zh-VN; und-Hant-HK yue; und-Hebr-001 yi; \
  und-Hebr-IL he iw lad; und-Hebr-UA ji; und-Hluw-TR hlu; und-Hmnp-US hnj mww; und-ID und-Bali \
  und-Batk und-Bugi und-Java und-Kawi und-Maka und-Rjng und-Sund; und-IE und-Ogam; und-IL \
  und-Hebr und-Samr; und-IN hi-Latn lif-Limb sd-Deva sd-Khoj sd-Sind und-Ahom und-Bhks und-Brah \
  und-Deva und-Dogr und-Gong und-Gonm und-Gran und-Gujr und-Guru und-Khoj und-Knda und-Kthi \
  und-Lepc und-Limb und-Mahj und-Mlym und-Modi und-Mtei und-Nagm und-Nand und-Olck und-Orya \
  und-Saur und-Shrd und-Sidd und-Sind und-Sora und-Takr und-Taml und-Telu und-Tirh und-Tnsa \
  und-Toto und-Wara und-Wcho; und-IQ ku-Arab und-Syrc und-Xsux; und-IR az-Arab und-Armi und-Avst \
  und-Elym und-Mand und-Phli und-Prti und-Xpeo; und-IT und-Ital; und-Ital-IT ett; und-JO arc-Nbat \
  und-Nbat; und-JP und-Hira und-Jpan und-Kana; und-Jpan-JP ja; und-KH und-Khmr; und-KR und-Hang \
  und-Jamo und-Kore; und-KZ ug-Cyrl; und-Kali-MM eky; und-Kana-JP ryu; und-Kawi-ID kaw; \
  und-Khar-PK pra; und-Khmr-KH km; und-Kits-CN zkt; und-Knda-IN kn tcy; und-Kore-KR ko; und-LA \
  und-Hmng und-Laoo; und-LB und-Phnx; und-LK und-Sinh; und-LR und-Bass und-Vaii; und-Lana-TH nod; \
  und-Laoo-LA kjg lo; und-Latn ky-TR rif-NL sr-ME sr-RO sr-RU sr-TR; und-Latn-001 eo ia io jbo \
  prg vo; und-Latn-AL sq; und-Latn-AO kmb umb; und-Latn-AT bar; und-Latn-AU wbp; und-Latn-AW pap; \
  und-Latn-AZ az tkr tly ttt; und-Latn-BA bs; und-Latn-BE vls wa; und-Latn-BF dyu mos; \
  und-Latn-BI rn; und-Latn-BJ fon; und-Latn-BO aro ay; und-Latn-BR gub kgp pt xav yrl; \
  und-Latn-CA atj bla chp clc crg den dgr gwi hur kwk lil mic moe moh oka pdt pqm; und-Latn-CD kg \
  ln lol lu lua swc; und-Latn-CF sg; und-Latn-CH gsw rm rmo wae; und-Latn-CI bci bqv daf dnj kfo \
  sef; und-Latn-CL arn; und-Latn-CM agq bas bbj bfd bkm bss bum byv dua ewo jgo ken kkj ksf maf \
  mgo mua nmg nnh yav ybb; und-Latn-CN nxq za; und-Latn-CO guc; und-Latn-CV kea; und-Latn-CZ cs; \
  und-Latn-DE de dsb frr frs hsb ksh nds pfl stq swg vmf; und-Latn-DK da jut; und-Latn-DZ kab; \
  und-Latn-EC qug; und-Latn-EE et vro; und-Latn-ER ssy; und-Latn-ES an ast ca es eu ext gl; \
  und-Latn-ET aa om sid; und-Latn-FI fi rmf smn sms; und-Latn-FJ fj hif rtm; und-Latn-FM chk kos \
  pon uli yap; und-Latn-FO fo; und-Latn-FR br co fr frp oc pcd; und-Latn-GA puu; und-Latn-GB cy \
  gd kw sco; und-Latn-GF gcr; und-Latn-GH abr ada ak ee gaa gur nzi saf; und-Latn-GL kl; \
  und-Latn-GM man; und-Latn-GN fuf sus; und-Latn-GQ bvb fan; und-Latn-GT quc; und-Latn-GU ch; \
  und-Latn-GW knf; und-Latn-HR hr; und-Latn-HT ht; und-Latn-HU hu; und-Latn-ID ace aoz ban bbc \
  bew bjn bug gay gor id in jv jw kge kvr lbw ljp mad mak mdr min mwv nij rej rob sas sly su sxn; \
  und-Latn-IE ga; und-Latn-IM gv; und-Latn-IN kha njo ria; und-Latn-IS is; und-Latn-IT egl fur it \
  lij lmo nap pms rgn sc scn sdc vec; und-Latn-JM jam; und-Latn-KE dav ebu guz kam ki kln luo luy \
  mas mer pko saq; und-Latn-KI gil; und-Latn-LR kpe; und-Latn-LT lt sgs; und-Latn-LU lb; \
  und-Latn-LV ltg lv; und-Latn-MA tzm; und-Latn-MD gag; und-Latn-MG mg; und-Latn-MH mh; \
  und-Latn-ML bm bmq bze dtm ffm kao khq mwk ses snk; und-Latn-MM kac; und-Latn-MT mt; \
  und-Latn-MU mfe; und-Latn-MW ny tog tum; und-Latn-MX maz nch nhe nhw sei yua; und-Latn-MY blg \
  dtp iba ktr kzj kzt ms tdu zmi; und-Latn-MZ mgh ndc ngl rng seh vmw yao; und-Latn-NA hz kj naq \
  ng; und-Latn-NE dje fuq tmh twq; und-Latn-NG amo bin cch efi fuv ha ibb ig kaj kcg pcm tiv yo; \
  und-Latn-NL fy gos li nl zea; und-Latn-NO nb nn no se; und-Latn-NR na; und-Latn-NU niu; \
  und-Latn-NZ mi; und-Latn-PE qu; und-Latn-PF ty; und-Latn-PG ho tpi; und-Latn-PH bik bku bto ceb \
  cps fil hil hnn ilo krj mdh pag pam tbw tl tsg war; und-Latn-PL csb pl sli szl; und-Latn-PW \
  pau; und-Latn-PY gn; und-Latn-RE rcf; und-Latn-RO mo ro; und-Latn-RU izh krl vep vot; \
  und-Latn-RW rw; und-Latn-SB rug; und-Latn-SC crs; und-Latn-SD fvr mls zag; und-Latn-SE fit rmu \
  sma smj sv; und-Latn-SI sl; und-Latn-SK sk; und-Latn-SL kri men tem; und-Latn-SN bjt dyo ff sav \
  srr wo; und-Latn-SO so; und-Latn-SR srn; und-Latn-SS nus; und-Latn-SX vic; und-Latn-TG ife kdh \
  zlm; und-Latn-TK tkl; und-Latn-TL tet; und-Latn-TM tk; und-Latn-TO to; und-Latn-TR kiu ku lzz \
  tr tru zza; und-Latn-TV tvl; und-Latn-TW trv; und-Latn-TZ asa bez jmc kde ksb lag mgy nym rof \
  rwk sbp suk sw vun; und-Latn-UG ach cgg laj lg myx nyn teo ttj xog; und-Latn-US cad cho cic dak \
  en esu frc haw ik lkt mus nv pdc; und-Latn-UZ uz; und-Latn-VA la; und-Latn-VN vi; und-Latn-VU \
  bi; und-Latn-WF fud wls; und-Latn-WS sm; und-Latn-XK aln; und-Latn-YT buc; und-Latn-ZA af nr \
  nso ss st tn ts ve xh zu; und-Latn-ZM bem loz; und-Latn-ZW kck mxc nd sn; und-Latn-ZZ aai aak \
  aau abi abt aby acd ade adj adz aey agc agd agg agm ago aha ahl ajg ala ali amm amn amp anc ank \
  ann any aoj aom ape apr aps apz arh asg aso ata atg auy avn avt avu awb awo awx ayb bav bba bbb \
  bbd bbp bbr bcf bch bcm bcn bco bcu bdd bef beh bet bex bhg bhl bhy bib big bim bio biq bjh bjo \
  bjr bjz bkc bkq bkv bmh bmk bmu bng bnm bnp boj bom bon bqc bqp brz bsj btt bud buk buo bus buu \
  bwd bwr bxh bye byr bys byx bza bzf bzh bzw can cbj cfa cjv ckl cko cky cla cme dad dag dah dbd \
  dbq ddn ded dga dgh dgi dgz dia dob dop dow dri dts duc dud dug dva dww dzg eka ema emi enn enq \
  eri etr etu etx eza faa fab fag fai ffi flr fmp fod for fpe fqs fue fuh fuy gaf gah gaj gam gaw \
  gba gbf gby gde gdn gdr geb gej gel gfk ghs gim gjn gkn gkp gmm gnd gng god goi grb grw gud guw \
  gux gvf gvs gyi hag ham hbb hhy hia hig hih hla hmt hot hui ian iar iby ica ich idd idi idu igb \
  ige ijj ikk ikw ikx imo iou iri iwm iws izi jab jar jbu jen jgk jib jra kad kai kbm kbp kbq kbx \
  kcl kct kdl kez kgf khs khz kij kiw kjd kjs kjy kkc klq klt klx kmh kmo kms kmu kmw knp kol koz \
  kpf kpo kpr kpx kqb kqf kqs kr krs ksd ksj ksr ktm kto kub kud kue kuj kun kup kus kvg kwj kwo \
  kwq kxa kxe kxw kxz kye kyx kzr las lbu lcm ldb led lee lem leq leu lgg lia lid lig lih lle lln \
  lmp lns lnu loj lok lor los maw mbh mbo mbq mbu mbw mci mcp mcq mcr mcu mda mdj med mee mek met \
  meu mfn mfo mfq mgl mhi mhl mif miw mkl mkp mkw mle mlp mmo mmu mmx mna mnf moa mox mpp mps mpt \
  mpx mql mtc mtf mti mur mva mvn mxm myk myw mzk mzm mzp mzw mzz nac naf nak nas nca nce ncf nco \
  ncu neb nex nfr nga ngb nhb nif nii nin niy niz nkg nko nmz nnf nnk nnm nop nou nrb nsn nss ntm \
  ntr nui nup nuv nux nwb nxr ogc okr okv ong onn ons opm oro ozm pbi ped pex pil pip pla png pnn \
  ppo pss ptp pwa rai rao rel res rna roo rro rwo sba sbe sgz shk sig sil sim sjr skc sks sld sll \
  smq snc snp snx sny sok soq soy spd spl sps ssd ssg stk sua sue sur swp sxw tal tan taq tbc tbd \
  tbf tbg tbo tbz tci ted tfi tgc tgo tgu tif tik tim tio tlf tlx tmy tnh tof toq tpm tpz tqo tsw \
  ttd tte ttr tuh tul tuq tvd tvu twh tya ubu uok uri urt urw usa uth utr uvh uvl vag van viv vut \
  waj wan wci wer wgi whg wib wiu wiv wja wji wmo wnc wnu wob wos wrs wsk wuv wwa xbi xes xla xon \
  xrb xsi xsm xwe yam yas yat yay yaz yba yby yer ygr ygw yko yle ylg yll yml yon yrb yre yss yuj \
  yut yuw zia zne; und-Lepc-IN lep; und-Lina-GR lab; und-Lisu-CN lis; und-Lyci-TR xlc; \
  und-Lydi-TR xld; und-MA und-Tfng; und-MM und-Kali und-Mymr und-Pauc und-Rohg; und-MN und-Orkh \
  und-Soyo und-Zanb; und-MV und-Diak und-Thaa; und-Mand-IR myz; und-Mani-CN xmn; und-Medf-NG dmf; \
  und-Merc-SD xmr; und-Mlym-IN ml; und-Mong mn-CN; und-Mong-CN drh; und-Mroo-BD mro; und-Mymr-IN \
  kht; und-Mymr-MM mnw my shn; und-NG und-Medf; und-NP und-Newa unr-Deva; und-Narb-SA xna; \
  und-Nkoo man-GN; und-Nkoo-GN nqo; und-Nshu-CN zhx; und-Ogam-IE sga; und-Olck-IN sat; \
  und-Orkh-MN otk; und-Orya-IN or; und-Osge-US osa; und-Ougr-143 oui; und-PH und-Buhd und-Hano \
  und-Tagb und-Tglg; und-PK pa-Arab tg-Arab und-Khar und-Mult; und-Pauc-MM ctd; und-Phli-IR pal; \
  und-Phnx-LB phn; und-Plrd-CN hmd; und-Prti-IR xpr; und-RU und-Aghb und-Cyrl und-Perm; \
  und-Rohg-MM rhg; und-Runr-SE non; und-SA und-Narb; und-SD und-Merc und-Mero; und-SE und-Runr; \
  und-SL und-Mend; und-SO und-Osma; und-SY arc-Palm und-Palm und-Ugar; und-Samr-IL smp; \
  und-Sarb-YE xsa; und-Saur-IN saz; und-Sgnw-US ase; und-Sinh-LK si; und-Sogd-UZ sog; und-Sora-IN \
  srb; und-Soyo-MN cmg; und-Syrc-IQ syr; und-TH und-Lana und-Thai; und-TR ky-Latn und-Cari \
  und-Hluw und-Lyci und-Lydi; und-TW und-Bopo und-Hanb und-Hant zh-Bopo zh-Hanb zh-Hant; \
  und-Tale-CN tdd; und-Talu-CN khb; und-Taml-IN bfq ta; und-Tang-CN txg; und-Tavt-VN blt; \
  und-Telu-IN gon lmn te wbq; und-Tfng-MA rif shi zgh; und-Thaa-MV dv; und-Thai-CN lcp; \
  und-Thai-TH kdt kxm lwl sou th tts; und-Tibt-BT adp dz tsj; und-Tibt-CN bo; und-Tnsa-IN nst; \
  und-Toto-IN txo; und-UA und-Goth; und-US und-Cher und-Hmnp und-Osge und-Sgnw; und-UZ und-Chrs \
  und-Sogd und-Sogo; und-Ugar-SY uga; und-VN und-Cham und-Tavt; und-Vaii-LR vai; und-Wcho-IN nnp; \
  und-Xpeo-IR peo; und-Xsux-IQ akk; und-YE und-Sarb; und-Yiii-CN ii
  """

/// Languages, and the tags that they replace.
let languageAliases = """
  aa aar; aas aam; ab abk; acn xia; adx pcr; ae ave; af afr; ak aka fat tw twi; am amh; ami ais; \
  amq elp; an arg; aog myd; aou gio; apf agp; aqd dkl; aqt sap; ar ara arb; as asm; ase sgn-US; \
  av ava; ay aym ayr; az aze azj; azd nln; ba bak; bal bcc; bcg bgm; be bel; beb btb; bfi sgn-GB; \
  bfy ppa; bg bul; bho bh bih; bi bis; bik bcl; bir bic; bjp tgg; bm bam; bmf krm; bn ben; bnc \
  lbk; bo bod tib; bpp nxu; br bre; bs bos; bua bxr; bzc bjq; bzs sgn-BR; ca cat; cax xba; ce \
  che; ch cha; chm mhr; cir meg; cmr cka; co cos; cr cre cwd; cs ces cze; csn sgn-CO; cu chu; cv \
  chv; cy cym wel; da dan; dbt dwl; de deu ger; del umu; den xsl; dev gav; dgl kzh; dif dit; din \
  dik; dmw mwd xrq; dnj daf; doi dgo; drl bjd; dse sgn-NL; dsl sgn-DK; dtd noo; dtp ktr kzj kzt \
  tdu; duz guv; dv div; dwu duj; dz adp dzo; dze djl; ebk bkb; ee ewe; ekc nbx; el ell gre; ema \
  uok; emx rmr; en eng; enl leg; eo epo; es spa; esg ggo; et ekk est; eu baq eus; eza izi; fa fas \
  per pes; fa-AF drw prs tnf; fbl bhk; ff fuc ful; fi fin; fil tgl tl; fj fij; fo fao; fr fra \
  fre; fsl sgn-FR; fy fry; ga gle; gal ilw; gba gya; gd gla; gdj kvs; gl glg; gn grn gug; gon \
  gno; grb gbo; gsg sgn-DE; gss sgn-GR; gtu ggr; gu guj; gv glv; gvr ggn; ha hau; hai hdn; he heb \
  iw; hi hin; hle sca; hmn hea; ho hmo; hr hrv scr; ht hat; hu hun; huw pmc; hy arm hye; hz her; \
  ia ina; iba blg; id in ind; ie ile; ig ibo; ii iii; ik esk ipk; ilm ill; io ido; is ice isl; \
  ise sgn-IT; isg sgn-IE; isk sgl; it ita; itd tid; iu ike iku; ja jpn; jal hrr; jbk mgx; jgk \
  jar; jkm kpp; jrb aju; jsl sgn-JP; jv jav jw; ka geo kat; kak tne; kdz ncp; kg kng kon; ki kik; \
  kj kua; kk kaz; kl kal; kln spy; km khm; kml kgh; kn kan; ko kor; kok knn; kpe xpe; kr kau knc; \
  kru kxl; ks kas; ktz aue; ku kmr kur; kv kom kpv; kw cor; kwv koj; kxr pat; ky kir; kzk drr \
  gli; la lat; lah pnb; lb ltz; lcq ppr; lg lug; li lim; ln lin; lo lao; lrr yma; lt lit; lu lub; \
  luy bxk; lv lav lvs; man emk mnk; mfs sgn-MX; mg mlg plt; mh mah; mi mao mri; mk mac mkd; ml \
  mal; mn drh khk mon; mom cjr; mr mar; mry mst myt; ms may msa zsm; mt mlt; mtm ymt; mwr dhd; my \
  bur mya; na nau; nb nob; nbr nns; ncq kgd; ncs sgn-NI; nd nde; ne nep npi; ng ndo; ngt llo; ngv \
  nnx; njz dap; nl dut nld; nn nno; no nor; nol wit; nr nbl; nrk nlr; nru nbf; nsi sgn-NO; nun \
  ayx; nv nav; nvo baz; nwo wiw; ny nya; nyc gti; oc oci; oj ojg oji; ola thw; om gaz orm; opa \
  ibi; or ori ory; os oss; oyb jeg skk thx; pa pan; phr pmu; pi pli; pij coy nts; pl pol; prt \
  pry; ps pbu pus; psr sgn-PT; pt por; pub puz; qu que quz; quh cqu; raj mup; raq lii; ras tie; \
  rki ccq ybd; rm roh; rmx lmm; rn run; ro mo mol ron rum; rom rmy; ru rus; rw kin; sa san; sc \
  src srd; scv zir; sd snd; se sme; sfs sgn-ZA; sg sag; sgd sul; si sin; sk slk slo; sl slv; sm \
  smo; sn sna; snz asd; so som; sq alb als sqi; sr scc srp; sr-Latn hbs sh; sr-ME cnr; srx him; \
  ss ssw; ssp sgn-ES; st sot; su sun; suj xsj; sv swe; sw swa swh; sw-CD swc; swl sgn-SE; syr \
  cld; ta tam; taj tsf; tdf kgc; te tel; tg tgk; th tha; ti tir; tk tuk; tmh ttq; tn tsn; to ton; \
  tpo thc; tr tur; ts tso; tt tat; tvd kxe; twm tkk; ty tah; tyj tmp; ug uig; uk ukr; ulw sum; ur \
  urd; uth dud; uz uzb uzn; vaj gfx mwj oun; ve ven; vi vie; vo vol; wa wln; waw xkh; weo tlw; \
  wgb wgw; wnn mnt; wny gbc; wo wol; wro unp; xch cmk; xh xho; xnt mof; xny nad; yam kwq; yi ji \
  ydd yid; ynq yen; yo yor; yrm yiy; yug yuu; za zha zyb; zap zai; zh chi cmn zho; zkd kdv; zom \
  yos; zu zul; zza diq
  """

/// Regions, the most populous first, and the codes that they replace.
let regionAliases = """
  034,143 062; AA 958; AD 020; AE 784; AF 004; AG 028; AI 660; AL 008; AM 051; AO 024; AQ 010 NQ; \
  AQ,TF FQ; AR 032; AS 016; AT 040; AU 036; AW 533; AX 248; AZ 031; BA 070; BB 052; BD 050; BE \
  056; BF 854 HV; BG 100; BH 048; BI 108; BJ 204 DY; BL 652; BM 060; BN 096; BO 068; BQ 535; BR \
  076; BS 044; BT 064; BV 074; BW 072; BY 112; BZ 084; CA 124; CC 166; CD 180 ZR; CF 140; CG 178; \
  CH 756; CI 384; CK 184; CL 152; CM 120; CN 156; CO 170; CR 188; CU 192; CV 132; CW 531; \
  CW,SX,BQ 530 532 AN; CX 162; CY 196; CZ 203; CZ,SK 200; DE 276 278 280 DD; DJ 262; DK 208; DM \
  212; DO 214; DZ 012; EC 218; EE 233; EG 818; EH 732; ER 232; ES 724; ET 230 231; EU 967 QU; FI \
  246; FJ 242; FK 238; FM 583; FM,MH,MP,PW 582 PC; FO 234; FR 249 250 FX; GA 266; GB 826 UK; GD \
  308; GE 268; GF 254; GG 831; GH 288; GI 292; GL 304; GM 270; GN 324; GP 312; GQ 226; GR 300; GS \
  239; GT 320; GU 316; GW 624; GY 328; HK 344; HM 334; HN 340; HR 191; HT 332; HU 348; ID 360; IE \
  372; IL 376; IM 833; IN 356; IO 086; IQ 368; IR 364; IS 352; IT 380; JE 832; JE,GG 830; JM 388; \
  JO 400; JP 392; KE 404; KG 417; KH 116; KI 296 CT; KM 174; KN 659; KP 408; KR 410; KW 414; KY \
  136; KZ 398; LA 418; LB 422; LC 662; LI 438; LK 144; LR 430; LS 426; LT 440; LU 442; LV 428; LY \
  434; MA 504; MC 492; MD 498; ME 499; MF 663; MG 450; MH 584; MK 807; ML 466; MM 104 BU; MN 496; \
  MO 446; MP 580; MQ 474; MR 478; MS 500; MT 470; MU 480; MV 462; MW 454; MX 484; MY 458; MZ 508; \
  NA 516; NC 540; NE 562; NF 574; NG 566; NI 558; NL 528; NO 578; NP 524; NR 520; NU 570; NZ 554; \
  OM 512; PA 591 PZ; PE 604; PF 258; PG 598; PH 608; PK 586; PL 616; PM 666; PN 612; PR 630; PS \
  275; PT 620; PW 585; PY 600; QA 634; QM 959; QN 960; QP 962; QQ 963; QR 964; QS 965; QT 966; QV \
  968; QW 969; QX 970; QY 971; QZ 972; RE 638; RO 642; RS 688; RS,ME 891 CS YU; RS,ME,SI,HR,MK,BA \
  890; RU 643; RU,AM,AZ,BY,EE,GE,KZ,KG,LV,LT,MD,TJ,TM,UA,UZ 810 SU; \
  RU,AM,AZ,BY,GE,KG,KZ,MD,TJ,TM,UA,UZ 172; RW 646; SA 682; SA,IQ 536 NT; SB 090; SC 690; SD 729 \
  736; SE 752; SG 702; SH 654; SI 705; SJ 744; SK 703; SL 694; SM 674; SN 686; SO 706; SR 740; SS \
  728; ST 678; SV 222; SX 534; SY 760; SZ 748; TC 796; TD 148; TF 260; TG 768; TH 764; TJ 762; TK \
  772; TL 626 TP; TM 795; TN 788; TO 776; TR 792; TT 780; TV 798; TW 158; TZ 834; UA 804; UG 800; \
  UM 581 JT MI PU WK; US 840; UY 858; UZ 860; VA 336; VC 670; VE 862; VG 092; VI 850; VN 704 VD; \
  VU 548 NH; WF 876; WS 882; XA 973; XB 974; XC 975; XD 976; XE 977; XF 978; XG 979; XH 980; XI \
  981; XJ 982; XK 983; XL 984; XM 985; XN 986; XO 987; XP 988; XQ 989; XR 990; XS 991; XT 992; XU \
  993; XV 994; XW 995; XX 996; XY 997; XZ 998; YE 720 886 887 YD; YT 175; ZA 710; ZM 894; ZW 716 \
  RH; ZZ 999
  """

/// Languages, and those that inherit from them; `root` is none.
let parentLanguages = """
  en-001 en-150 en-AG en-AI en-AU en-BB en-BM en-BS en-BW en-BZ en-CC en-CK en-CM en-CX en-CY \
  en-DG en-DM en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GY en-HK en-IE en-IL \
  en-IM en-IN en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-MO en-MS en-MT \
  en-MU en-MV en-MW en-MY en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PK en-PN en-PW en-RW en-SB \
  en-SC en-SD en-SG en-SH en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-VC \
  en-VG en-VU en-WS en-ZA en-ZM en-ZW; en-150 en-AT en-BE en-CH en-DE en-DK en-FI en-NL en-SE \
  en-SI; en-IN hi-Latn; es-419 es-AR es-BO es-BR es-BZ es-CL es-CO es-CR es-CU es-DO es-EC es-GT \
  es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE; no nb nn; pt-PT pt-AO pt-CH \
  pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-TL; root az-Arab az-Cyrl bal-Latn blt-Latn \
  bm-Nkoo bs-Cyrl byn-Latn cu-Glag dje-Arab dyo-Arab en-Dsrt en-Shaw ff-Adlm ff-Arab ha-Arab \
  iu-Latn kk-Arab ks-Deva ku-Arab ky-Arab ky-Latn ml-Arab mn-Mong mni-Mtei ms-Arab pa-Arab \
  sat-Deva sd-Deva sd-Khoj sd-Sind shi-Latn so-Arab sr-Latn sw-Arab tg-Arab ug-Cyrl uz-Arab \
  uz-Cyrl vai-Latn wo-Arab yo-Arab yue-Hans zh-Hant; zh-Hant-HK zh-Hant-MO
  """
